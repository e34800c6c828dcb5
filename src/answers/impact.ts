import type { Change } from '../evidence/objects.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { changeOf, describeChange, scalerOf } from '../facts/changes.ts';
import type { Facts } from '../facts/facts.ts';
import type { LoadHistory } from '../facts/history.ts';
import { bornTogetherMs, limits } from '../facts/limits.ts';
import type { MeasuredPod } from '../facts/measured.ts';
import { countWhile } from '../facts/rising.ts';
import type { Impact, SkewReport } from '../report/schema.ts';
import { clock, percent, plural } from '../report/words.ts';

/** A pod at this part of its memory limit is about to be killed. */
const memoryRisk = 0.9;
/** Restarts count as harm of now when they happened within this time. */
const recentSeconds = 3600;

/** Does it hurt? Calls that nobody reads; the hottest pod against ITS limits, and what was killed or restarted lately. */
export function readImpact(facts: Facts): Impact {
  const impact = readPressure(facts);
  const unready = facts.missing.notReady.length + facts.missing.pending.length;
  if (facts.replicas.length === 0 && unready > 0) return { level: 'harm', text: describeNoneReady(facts, unready) };
  const stuck = facts.stuck.filter(({ confidence }) => confidence === 'certain');
  if (stuck.length === 0) return impact;
  const where = stuck.length === 1 ? 'a pod that does not read' : `${stuck.length} pods that do not read`;
  return { level: 'harm', text: `what clients send to ${where} stays unanswered; ${impact.text}` };
}

/** Readiness stops new connections; those that are open go on. */
function describeNoneReady({ staleEndpoints, unreadyPods }: Facts, unready: number): string {
  const none = `none of ${plural(unready, 'pod')} is Ready`;
  if (staleEndpoints.length > 0 || unreadyPods.some(({ calls }) => (calls?.calls ?? 0) + (calls?.messages ?? 0) > 0))
    return `${none}: calls go on over connections of before, new connections find no pod`;
  return unreadyPods.every(({ sockets }) => sockets !== null)
    ? `no pod can take a call: ${none}`
    : `${none}: new connections find no pod`;
}

function readPressure(facts: Facts): Impact {
  const pods = [...facts.replicas, ...facts.unreadyPods];
  const killed = pods.filter((pod) => recentEnds(pod, facts).some((reason) => reason === 'OOMKilled'));
  const restarted = pods.filter((pod) => recentEnds(pod, facts).length > 0);
  // What is called works, whether it is an endpoint or not.
  const called = [...facts.replicas, ...facts.staleEndpoints.map(({ pod }) => pod)];
  const parts = called.flatMap((pod) => limitParts(pod));
  const hottest = [...parts].sort((a, b) => b.part - a.part)[0];
  const restarts =
    killed.length > 0
      ? `${plural(killed.length, 'pod')} killed for memory (OOM)`
      : restarted.length > 0
        ? `${plural(restarted.length, 'pod')} restarted in the last hour`
        : 'no restarts';
  const throttled = mostThrottled(facts);
  const isThrottled = (throttled?.throttledShare ?? 0) >= limits.throttledPart;
  const throttling = isThrottled ? `, ${describeThrottling(throttled, hottest?.pod)}` : '';
  if (hottest === undefined) {
    const seen = facts.cpu === null ? 'CPU and memory not seen' : 'no limits are set';
    const text = `${seen}${throttling}, ${restarts}`;
    if (restarted.length > 0) return { level: 'harm', text };
    return { level: isThrottled ? 'risk' : facts.cpu === null ? 'unknown' : 'none', text };
  }
  const outside = facts.replicas.includes(hottest.pod) ? '' : `, ${hottest.pod.name} outside the endpoints,`;
  const text = `hottest pod${outside} at ${percent(hottest.part)} of its ${hottest.what} limit${throttling}, ${restarts}`;
  if (killed.length > 0 || restarted.length > 0) return { level: 'harm', text };
  const risk = isThrottled || hottest.part >= (hottest.what === 'CPU' ? limits.hotCpuPart : memoryRisk);
  return { level: risk ? 'risk' : 'none', text };
}

/** The mean of CPU may be far from the limit while bursts run into it: the kernel then holds the container back. */
function mostThrottled({ replicas }: Facts): MeasuredPod | null {
  const [most] = replicas
    .filter((pod) => pod.throttledShare !== null)
    .sort((a, b) => (b.throttledShare ?? 0) - (a.throttledShare ?? 0) || (a.name < b.name ? -1 : 1));
  return most ?? null;
}

function describeThrottling(pod: MeasuredPod | null, hottest: MeasuredPod | undefined): string {
  const who = pod === null || pod === hottest ? '' : `${pod.name} `;
  return `${who}throttled in ${percent(pod?.throttledShare ?? 0)} of its CPU periods`;
}

interface LimitPart {
  readonly pod: MeasuredPod;
  readonly part: number;
  readonly what: 'CPU' | 'memory';
}

function limitParts(pod: MeasuredPod): LimitPart[] {
  const cpu = pod.cpu?.limitMillicores
    ? [{ pod, part: pod.cpu.millicores / pod.cpu.limitMillicores, what: 'CPU' as const }]
    : [];
  const memory = pod.memory?.limitBytes
    ? [{ pod, part: pod.memory.bytes / pod.memory.limitBytes, what: 'memory' as const }]
    : [];
  // Memory use does not follow the load as CPU does: it speaks only when it is near the limit.
  return [...cpu, ...memory.filter((entry) => entry.part >= memoryRisk || cpu.length === 0)];
}

/** Reasons of terminations of the last hour. */
function recentEnds(pod: MeasuredPod, facts: Facts): readonly string[] {
  return (pod.pod?.containers ?? []).flatMap((container) => {
    const finished = millisecondsOf(container.lastTermination?.finishedAt);
    if (finished === null || facts.now - finished > recentSeconds * 1000) return [];
    return [container.lastTermination?.reason ?? 'ended'];
  });
}

type Entry = SkewReport['status']['timeline'][number];

/** What happened lately, newest first: at most five entries. */
export function readTimeline(facts: Facts): Entry[] {
  const entries = [
    ...growth(facts),
    ...ends(facts),
    ...probeFailures(facts),
    ...turns(facts),
    ...settings.flatMap((field) => settingChange(facts, field)),
  ];
  return newestFirst(entries).slice(0, 5);
}

/** Sorted by time; entries whose time cannot be read are left out. */
function newestFirst(entries: readonly Entry[]): Entry[] {
  return entries
    .flatMap((entry) => {
      const at = millisecondsOf(entry.time);
      return at === null ? [] : [{ at, entry }];
    })
    .sort((a, b) => b.at - a.at || (a.entry.text < b.entry.text ? -1 : 1))
    .map(({ entry }) => entry);
}

function scalings(facts: Facts): Entry[] {
  const replicaSets = new Set(facts.replicas.map((pod) => pod.pod?.owner?.name));
  return (facts.evidence.happenings ?? []).flatMap((entry) =>
    entry.kind === 'scaled' && replicaSets.has(entry.replicaSet) && (entry.from ?? 0) > 0
      ? [
          {
            time: entry.at,
            text: `${entry.workload.kind.toLowerCase()}/${entry.workload.name} scaled ${entry.from} → ${entry.to}`,
          },
        ]
      : [],
  );
}

/** Pods that were created together, after others: a scale-up whose Event has expired or is not readable. */
function additions(facts: Facts): Entry[] {
  const born = facts.replicas.flatMap((pod) => (pod.createdAt === null ? [] : [pod.createdAt])).sort((a, b) => a - b);
  const groups: { first: number; last: number; count: number; before: number }[] = [];
  for (const [index, time] of born.entries()) {
    const group = groups.at(-1);
    if (group !== undefined && time - group.last <= bornTogetherMs) {
      group.last = time;
      group.count++;
    } else groups.push({ first: time, last: time, count: 1, before: index });
  }
  const scaled = scalings(facts)
    .flatMap((entry) => millisecondsOf(entry.time) ?? [])
    .sort((a, b) => a - b);
  const isTold = ({ first }: { readonly first: number }) => {
    const next = scaled[countWhile(scaled, (time) => time < first - bornTogetherMs)];
    return next !== undefined && next <= first + bornTogetherMs;
  };
  return groups
    .filter((group) => group.before > 0 && !isTold(group))
    .map((group) => ({
      time: new Date(group.first).toISOString(),
      text:
        group.count === facts.formerPods.length
          ? `${plural(group.count, 'pod')} added in the place of as many that left the Service`
          : `${plural(group.count, 'pod')} added (${group.before} → ${group.before + group.count})`,
    }));
}

/** Both, newest first; the newest with who set the number of pods last. */
function growth(facts: Facts): Entry[] {
  const [newest, ...others] = newestFirst([...scalings(facts), ...additions(facts)]);
  if (newest === undefined) return [];
  const scalers = facts.deployments.flatMap(({ changes }) => scalerOf(changes) ?? []);
  const time = millisecondsOf(newest.time) ?? 0;
  const scaler = scalers.find(({ at }) => at === null || Math.abs(at - time) <= bornTogetherMs);
  const text = scaler === undefined ? newest.text : `${newest.text} (replicas last set by ${scaler.manager})`;
  return [{ ...newest, text }, ...others];
}

const settings = [
  ...(['sessionAffinity', 'internalTrafficPolicy', 'externalTrafficPolicy'] as const),
  ...(['trafficDistribution', 'topologyMode', 'selector'] as const),
];

/** The last change of a setting since the Service was made. Who sets several of them has one time for all. */
function settingChange({ service }: Facts, field: Change['fields'][number]): Entry[] {
  const change = changeOf(service, field);
  return change === null || change.fields.find((entry) => changeOf(service, entry) === change) !== field
    ? []
    : [{ time: change.at, text: describeChange(change, change.fields.join(', ')) }];
}

function ends(facts: Facts): Entry[] {
  return [...facts.replicas, ...facts.unreadyPods].flatMap((pod) =>
    (pod.pod?.containers ?? []).flatMap((container) => {
      const finished = container.lastTermination?.finishedAt ?? null;
      return finished === null
        ? []
        : [{ time: finished, text: `${pod.name} restarted (${container.lastTermination?.reason ?? 'ended'})` }];
    }),
  );
}

function probeFailures(facts: Facts): Entry[] {
  const current = new Set([...facts.replicas, ...facts.unreadyPods].map((pod) => pod.backend.pod?.uid));
  return (facts.evidence.happenings ?? []).flatMap((entry) =>
    entry.kind === 'unhealthy' && current.has(entry.podUid ?? '') && entry.times > 1
      ? [
          {
            time: entry.at,
            text: `${entry.pod}: ${entry.probe} probe failed ${entry.times} times${since(entry.firstAt)}`,
          },
        ]
      : [],
  );
}

function since(time: string): string {
  return millisecondsOf(time) === null ? '' : ` since ${clock(time)}`;
}

const pastWords: Readonly<Record<LoadHistory['basis'], string>> = {
  calls: 'calls',
  bytes: 'network traffic',
  cpu: 'CPU use',
};

/** The past that tells most of the load: calls before the traffic of the pods before CPU. */
function bestPast({ past, loads }: Facts): (LoadHistory & { readonly unevenSince: number }) | null {
  if (loads.basis?.reading !== 'uneven') return null;
  const uneven = past.flatMap((entry) =>
    entry.unevenSince === null ? [] : [{ ...entry, unevenSince: entry.unevenSince }],
  );
  const order = ['calls', 'bytes', 'cpu'] as const;
  return order.flatMap((basis) => uneven.filter((entry) => entry.basis === basis))[0] ?? null;
}

const minute = (time: number): string => clock(time).slice(0, 5);

/** When the load turned uneven, by what Prometheus has of the last hour. */
function turns(facts: Facts): Entry[] {
  const past = bestPast(facts);
  if (past === null || past.evenUntil === null) return [];
  const time = new Date(past.evenUntil).toISOString();
  const were = past.basis === 'calls' ? 'were' : 'was';
  return [{ time, text: `the ${pastWords[past.basis]} ${were} even until about then (Prometheus)` }];
}

/**
 * The entry that most likely began it: the newest scaling, addition or restart, not a failing probe. Prometheus knows
 * when the load turned, so an entry of another time did not begin it. `setting`: what explains the skew; where the API knows
 * when it was changed, that began it.
 */
export function readSince(facts: Facts, setting: Change['fields'][number] | null): string | null {
  const change = setting === null ? null : changeOf(facts.service, setting);
  const changed =
    change === null || setting === null ? [] : [{ time: change.at, text: describeChange(change, setting) }];
  const entries = newestFirst([...changed, ...growth(facts), ...ends(facts)]);
  const past = bestPast(facts);
  const told = (entry: Entry | undefined) => (entry === undefined ? null : `${clock(entry.time)}, ${entry.text}`);
  if (past === null) return told(changed[0] ?? entries[0]);
  const turned = past.evenUntil ?? past.unevenSince;
  // A rate looks back, and so turns up to its length after what turned it.
  const began = entries.find((entry) => {
    const at = (millisecondsOf(entry.time) ?? 0) / 1000;
    const from = turned / 1000 - past.rateSeconds - past.stepSeconds;
    return at >= from && at <= past.unevenSince / 1000 + past.stepSeconds;
  });
  if (began !== undefined) return told(began);
  // Steps of a history and the length of its rates: no better than a minute.
  if (past.evenUntil === null)
    return `before ${minute(turned)}: uneven as far back as Prometheus tells (${pastWords[past.basis]})`;
  return `about ${minute(past.evenUntil)}: even before (${pastWords[past.basis]}, Prometheus)`;
}
