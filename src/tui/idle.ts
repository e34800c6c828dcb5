import { maxOf, minOf } from '../figures/extremes.ts';
import { isUnseen } from '../render/columns.ts';
import type { ReportPod, SkewReport } from '../report/schema.ts';

/** The idle pods in one line, with what they have in common: `7 idle, all younger than the others, none with a connection`. */
export function idleText(idle: readonly ReportPod[], report: SkewReport): string {
  const unseen = idle.filter(isUnseen).length;
  const seen = unseen === 0 ? [] : [`${unseen} of them not seen`];
  return [`${idle.length} idle`, ...shared(idle, report).slice(0, 2), ...seen].join(', ');
}

/** What is true of all idle pods and not of all others, the most telling first. */
function shared(idle: readonly ReportPod[], { status }: SkewReport): string[] {
  const others = status.pods.filter((pod) => !idle.includes(pod));
  const ages = (pods: readonly ReportPod[]) => pods.map((pod) => pod.ageSeconds);
  const [own, old] = [ages(idle).filter(isKnown), ages(others).filter(isKnown)];
  const hasAges = own.length === idle.length && old.length === others.length;
  const isYoung = hasAges && maxOf(own) < minOf(old);
  const place = (what: string, of: (pod: ReportPod) => string | null) => {
    const [first = null, ...rest] = new Set(idle.map(of));
    return first === null || rest.length > 0 || others.every((pod) => of(pod) === first)
      ? []
      : [`all ${what} ${first}`];
  };
  return [
    ...(isYoung ? ['all younger than the others'] : []),
    ...place('on', (pod) => pod.node),
    ...place('in', (pod) => pod.zone),
    ...(idle.every(({ connections }) => connections === 0) ? ['none with a connection'] : []),
    ...(idle.every(({ connections }) => (connections ?? 0) > 0) ? ['all with connections'] : []),
  ];
}

function isKnown(value: number | null): value is number {
  return value !== null;
}
