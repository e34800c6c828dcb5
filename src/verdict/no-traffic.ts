import { type Conclusion, conclude } from '../causes/consequences.ts';
import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { isUnheld, type MeasuredPod } from '../facts/measured.ts';
import { describeStaleEndpoints } from '../facts/stale-endpoints-words.ts';
import { maxOf } from '../figures/extremes.ts';
import { longerWindow } from '../report/window.ts';
import { countOf, listed } from '../report/words.ts';

/**
 * No client holds a connection to any of the pods, each of which was looked into. An empty table outranks no other
 * measure: where calls were counted it answers nothing, a pod that is busy all the same leaves the state open, and
 * clients that are known, or pods that have just come, make it likely at most. It is certain when counters of all pods
 * say the same, or the tables are proven by the listeners that they show, and no CPU is left for calls too short to be seen.
 */
export function decideNoTraffic(facts: Facts): Conclusion | null {
  const { replicas, loads } = facts;
  if (loads.churning || !replicas.every(({ sockets }) => isUnheld(sockets)) || countsCalls(facts)) return null;
  if (facts.staleEndpoints.length > 0) return conclude('not-load-balancing', 'certain', describeStaleEndpoints(facts));
  const none = `no client is connected to any of the ${replicas.length} pods`;
  const busy = replicas.filter(isBusy);
  const [first] = busy;
  if (first !== undefined)
    return conclude(
      'unknown',
      'possible',
      `${none}, and yet ${countOf(busy.length, 'pod is', 'pods are')} busy`,
      `what ${first.name} is busy with: ${Math.round(first.cpu?.millicores ?? 0)} millicores without a client that was seen; its own metrics, or a longer --window`,
    );
  const dialling = clientsThatDial(facts);
  if (dialling.length > 0)
    return conclude(
      'no-traffic',
      'likely',
      none,
      `what ${listed(dialling)} does: it holds connections to this Service`,
    );
  const young = replicas.filter(({ readySince }) => readySince !== null && facts.now - readySince < youngMs);
  if (young.length > 0)
    return conclude(
      'no-traffic',
      'likely',
      none,
      `it again in some minutes: ${countOf(young.length, 'pod has', 'pods have')} just become Ready`,
    );
  return conclude('no-traffic', isProven(facts) && !isRarelyCalled(facts) ? 'certain' : 'likely', none);
}

/** All that was measured stood still. Clients that are connected may call at any time. */
export function decideSilence(facts: Facts): Conclusion {
  const { allConnections, replicas } = facts;
  const longer = longerWindow(facts.loads.enoughSeconds);
  const pods = `the ${replicas.length} pods`;
  const summary =
    allConnections.length === 0 ? `no call came to any of ${pods}` : `the connections of ${pods} carried nothing`;
  if (isRarelyCalled(facts))
    return conclude(
      'unknown',
      'possible',
      `${summary}, and so few calls as before may just have missed the window`,
      longer,
    );
  return conclude('no-traffic', 'likely', summary, allConnections.length === 0 ? null : longer);
}

/** So many events are surely seen: none of them has a probability of 1 in 150. */
const surelySeen = 5;

/** Were the calls as many as before, would a window without any be no surprise? Before: since the oldest pod began. */
function isRarelyCalled({ loads, replicas, now }: Facts): boolean {
  const of = (span: 'window' | 'lifetime') =>
    loads.distributions.filter((entry) => entry.span === span && entry.source !== 'interface');
  const before = maxOf([0, ...of('lifetime').map(({ events }) => events ?? 0)]);
  const lived = maxOf([1000, ...replicas.map(({ startedAt }) => now - (startedAt ?? now))]) / 1000;
  const looked = maxOf([0, ...of('window').map(({ seconds }) => seconds ?? 0)]);
  const expected = (before / lived) * looked;
  return expected > 0 && expected < surelySeen;
}

/** Clients resolve, connect and back off: some minutes after a pod became Ready nobody need have come yet. */
const youngMs = 5 * 60_000;

/** Calls, messages or bytes of the window: somebody calls, whatever the tables show. */
function countsCalls({ loads }: Facts): boolean {
  return loads.distributions.some(({ span, events, source }) => {
    return span === 'window' && source !== 'interface' && (events ?? 0) > 0;
  });
}

/** Far above what a process costs that nobody calls: near its CPU limit, or with a quarter of a core. */
function isBusy({ cpu }: MeasuredPod): boolean {
  if (cpu === null) return false;
  const { millicores, limitMillicores } = cpu;
  return (
    millicores >= limits.busyMillicores ||
    (limitMillicores !== null && millicores >= limits.hotCpuPart * limitMillicores)
  );
}

/** Pods that were looked into from the other end, and hold connections to the Service. */
function clientsThatDial({ evidence, service }: Facts): readonly string[] {
  const looks = evidence.clientLooks?.looks ?? [];
  const dials = looks.filter(({ dialled }) =>
    dialled.some(
      ({ what, service: to, connections }) => what === 'virtual-address' && to === service.name && connections > 0,
    ),
  );
  return dials.map(({ pod }) => pod).sort();
}

/** Counters of all pods say it, too; or the tables show what they should, and no pod has the CPU of a few short calls. */
function isProven({ calls, replicas }: Facts): boolean {
  if (calls !== null && calls.span === 'window' && calls.seen === replicas.length) return true;
  return replicas.every(
    ({ sockets, cpu, backend }) =>
      cpu !== null &&
      cpu.millicores < 4 * limits.cpuNoiseMillicores &&
      sockets?.listening?.some(({ port }) => port === backend.port) === true,
  );
}
