import type { ReportPod, SkewReport } from '../report/schema.ts';
import { countOf, listed, plural } from '../report/words.ts';
import type { WatchEvent } from './state.ts';

/** Most events that are kept: an hour of a busy Service. */
export const mostEvents = 200;

/** What changed between two reports, as lines for the log of the watch. */
export function changes(before: SkewReport, after: SkewReport): WatchEvent[] {
  const time = after.metadata.generatedAt;
  const old = new Map(before.status.pods.map((pod) => [pod.name, pod]));
  const now = new Map(after.status.pods.map((pod) => [pod.name, pod]));
  const texts = [
    ...gone(before.status.pods.filter((pod) => !now.has(pod.name))),
    ...after.status.pods.flatMap((pod) => podChanges(old.get(pod.name), pod)),
    ...moves(old, after.status.pods),
    ...stateChange(before, after),
  ];
  return texts.map((text) => ({ time, text }));
}

function gone(pods: readonly ReportPod[]): string[] {
  if (pods.length === 0) return [];
  if (pods.length > 3) return [`${pods.length} pods are gone: ${listed(pods.map((pod) => pod.name))}`];
  return pods.map(
    (pod) => `${pod.name} is gone${pod.connections ? `, it held ${plural(pod.connections, 'connection')}` : ''}`,
  );
}

function podChanges(before: ReportPod | undefined, after: ReportPod): string[] {
  if (before === undefined) return [`${after.name} is new${after.ready === true ? ' and Ready' : ', not Ready yet'}`];
  const texts: string[] = [];
  if (before.endpoint !== after.endpoint) {
    const held = after.connections === null ? '' : `, ${plural(after.connections, 'connection')}`;
    texts.push(after.endpoint ? `${after.name} Ready${held}` : `${after.name} left the endpoints${held}`);
  }
  if (after.restarts > before.restarts) texts.push(`${after.name} restarted`);
  if (!before.marks.includes('terminating') && after.marks.includes('terminating'))
    texts.push(`${after.name} is terminating`);
  return texts;
}

/** Connections that left some pods and came to others: a re-deal, or clients that came and went. */
function moves(old: ReadonlyMap<string, ReportPod>, pods: readonly ReportPod[]): string[] {
  let came = 0;
  let left = 0;
  const gained: string[] = [];
  for (const pod of pods) {
    const before = old.get(pod.name);
    const isFirstLook = before === undefined || (before.connections === null && before.notSeen === null);
    const held = isFirstLook ? 0 : before.connections;
    if (held === null || pod.connections === null) continue;
    const difference = pod.connections - held;
    if (difference > 0) {
      came += difference;
      gained.push(pod.name);
    } else left -= difference;
  }
  const moved = Math.min(came, left);
  return [
    ...(moved > 0 ? [`${countOf(moved, 'connection', 'connections')} moved, to ${listed(gained, 2)}`] : []),
    ...(came > moved ? [`${countOf(came - moved, 'connection', 'connections')} opened, on ${listed(gained, 2)}`] : []),
    ...(left > moved ? [`${countOf(left - moved, 'connection', 'connections')} closed`] : []),
  ];
}

function stateChange(before: SkewReport, after: SkewReport): string[] {
  const [from, to] = [before.status.verdict, after.status.verdict];
  if (from.state !== to.state) return [`${from.state} → ${to.state}: ${to.summary}`];
  const [was, is] = [before.status.skew?.effectivePods ?? null, after.status.skew?.effectivePods ?? null];
  if (from.state !== 'skewed' || was === null || is === null || Math.abs(was - is) < 0.5) return [];
  return [to.summary];
}
