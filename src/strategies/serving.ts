import type { StepContext } from '../causes/consequences.ts';
import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { isListening } from '../facts/listening.ts';
import type { MeasuredPod } from '../facts/measured.ts';
import type { StaleEndpoint } from '../facts/stale-endpoints.ts';
import { maxOf } from '../figures/extremes.ts';

/**
 * Ready endpoints that a new connection reaches and that answer it, as far as it was seen. A pod without a connection and
 * without a listener may be deaf, also where nothing proves that a listener would show: no call is risked on it.
 */
export function ableReplicas(facts: Facts): readonly MeasuredPod[] {
  const stuck = new Set(facts.stuck.map(({ pod }) => pod.name));
  const mayBeDeaf = (pod: MeasuredPod) =>
    pod.sockets?.connections.length === 0 && (isListening(pod) === 'no' || isListening(pod) === 'loopback');
  return facts.replicas.filter((pod) => !stuck.has(pod.name) && !mayBeDeaf(pod));
}

/** Without limits of CPU: times the load of the busiest pod of now that the ready ones are trusted with, on average. */
const mostGrowth = 1.75;

/**
 * How the clients of pods outside the endpoints can move to the ready ones. These can take all of them at once where what
 * they would carry on average leaves room for an uneven deal.
 */
export function moveOf(facts: Facts): StepContext['move'] {
  const able = ableReplicas(facts);
  if (able.length === 0) return 'not';
  const stuck = new Set(facts.stuck.map(({ pod }) => pod.name));
  const holders = facts.staleEndpoints.filter(({ pod }) => !stuck.has(pod.name));
  if (holders.length === 0) return 'at-once';
  const part = partOfCpu(able, holders);
  if (part !== null) return part < limits.lowCpuPart ? 'at-once' : 'one-by-one';
  const loads = carriedByEach(facts, holders);
  const sum = loads.reduce((all, load) => all + load, 0);
  return sum / able.length < mostGrowth * maxOf(loads, 0) || sum === 0 ? 'at-once' : 'one-by-one';
}

/** The CPU of all, as part of what the ready pods may use by their limits, or of what is kept for them; null: not known of all. */
function partOfCpu(able: readonly MeasuredPod[], holders: readonly StaleEndpoint[]): number | null {
  let used = 0;
  let usable = 0;
  for (const { cpu } of [...able, ...holders.map(({ pod }) => pod)]) {
    if (cpu === null) return null;
    used += cpu.millicores;
  }
  for (const { cpu } of able) {
    const own = cpu?.limitMillicores ?? cpu?.requestMillicores ?? 0;
    if (own === 0) return null;
    usable += own;
  }
  return used / usable;
}

/** What each ready pod and each of the others carries: bytes where all are counted, else connections. */
function carriedByEach({ replicas, allConnections }: Facts, holders: readonly StaleEndpoint[]): readonly number[] {
  const bytes = allConnections.map(({ connection }) => connection.windowBytes ?? connection.bytes);
  const isCounted = [...bytes, ...holders.map((holder) => holder.bytes)].every((value) => value !== null);
  const loads = replicas.map(() => 0);
  for (const [index, { replica }] of allConnections.entries())
    loads[replica] = (loads[replica] ?? 0) + (isCounted ? (bytes[index] ?? 0) : 1);
  return [...loads, ...holders.map((holder) => (isCounted ? (holder.bytes ?? 0) : holder.connections))];
}
