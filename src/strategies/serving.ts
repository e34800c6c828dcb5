import type { Facts } from '../facts/facts.ts';
import { deafReplicas } from '../facts/listening.ts';
import type { MeasuredPod } from '../facts/measured.ts';

/** Ready endpoints that a new connection reaches and that answer it, as far as it was seen. */
export function ableReplicas(facts: Facts): readonly MeasuredPod[] {
  const unable = new Set([...deafReplicas(facts), ...facts.stuck.map(({ pod }) => pod)].map(({ name }) => name));
  return facts.replicas.filter(({ name }) => !unable.has(name));
}

/** From this part of all load on, what pods outside the endpoints carry is too much for the ready ones to take at once. */
const mostMoved = 0.5;

/**
 * Whether the calls rest on connections that would not come back as they are: no ready endpoint can take them, or pods
 * that are no endpoints carry most of them. Then whatever ends connections ends calls.
 */
export function restsOnOldConnections(facts: Facts): boolean {
  if (ableReplicas(facts).length === 0) return true;
  const stuck = new Set(facts.stuck.map(({ pod }) => pod.name));
  const holders = facts.staleEndpoints.filter(({ pod }) => !stuck.has(pod.name));
  const inside = facts.allConnections.map(({ connection }) => connection.windowBytes ?? connection.bytes);
  const outside = holders.map(({ bytes }) => bytes);
  const isCounted = [...inside, ...outside].every((value) => value !== null);
  const sum = (values: readonly (number | null)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
  const held = isCounted ? sum(outside) : sum(holders.map(({ connections }) => connections));
  const all = held + (isCounted ? sum(inside) : inside.length);
  return held > 0 && held >= mostMoved * all;
}
