import { maxOf } from '../figures/extremes.ts';
import { hotTone, isInTrouble, isUnseen } from '../render/columns.ts';
import type { Signs, Tone } from '../render/style.ts';
import { byLoad, loadsOf } from '../report/carried.ts';
import type { ReportPod, SkewReport } from '../report/schema.ts';
import type { Canvas } from './canvas.ts';

/** A value 0..1 as one cell of eighths; in ASCII of fewer. */
export function level(value: number, { levels }: Pick<Signs, 'levels'>): string {
  return levels[Math.round(Math.max(0, Math.min(1, value)) * (levels.length - 1))] ?? '';
}

/**
 * One cell a pod, as high as its load against that of the hottest one; where they do not fit each cell stands for several:
 * for the hottest of them. A pod of unknown load is a question mark.
 */
export function strip(
  report: SkewReport,
  width: number,
  canvas: Canvas,
): { readonly text: string; readonly perCell: number } {
  const { screen } = canvas;
  const { pods } = report.status;
  const loads = loadsOf(pods);
  const most = maxOf([...loads.values()], 0);
  const perCell = Math.max(1, Math.ceil(pods.length / Math.max(1, width)));
  const ordered = byLoad(pods);
  let text = '';
  for (let first = 0; first < ordered.length; first += perCell) {
    const group = ordered.slice(first, first + perCell);
    const known = group.flatMap((pod) => loads.get(pod) ?? []);
    const cell = known.length === 0 ? '?' : level(most === 0 ? 0 : maxOf(known) / most, screen.signs);
    text += screen.paint(strongest(group, report), cell);
  }
  return { text, perCell };
}

/** The tone of what a pod carries. */
export function loadTone(pod: ReportPod, report: SkewReport): Tone | null {
  if (isInTrouble(pod) || isUnseen(pod)) return 'warn';
  if (pod.marks.includes('hot')) return hotTone(report);
  return pod.marks.includes('idle') ? 'idle' : null;
}

function strongest(pods: readonly ReportPod[], report: SkewReport): Tone {
  const tones = pods.map((pod) => loadTone(pod, report));
  return (['hot', 'warn'] as const).find((tone) => tones.includes(tone)) ?? (tones.includes(null) ? 'good' : 'idle');
}
