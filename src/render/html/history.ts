/** How many pods were used over the last hour, where a Prometheus told of it, with what happened meanwhile. */
import { maxOf } from '../../figures/extremes.ts';
import type { PastLoad, SkewReport } from '../../report/schema.ts';
import { historyTexts } from '../history.ts';
import { clock } from '../numbers.ts';
import { type Child, element } from './element.ts';
import { list } from './parts.ts';

const size = { width: 1000, height: 100 } as const;

export function historySection(report: SkewReport): readonly Child[] {
  const { prometheus, timeline } = report.status;
  return [
    ...(prometheus?.history ?? []).map((past, at) => pastLoad(past, historyTexts(report)[at] ?? '', timeline)),
    timeline.length === 0
      ? null
      : element(
          'ol',
          { class: 'timeline' },
          timeline.map(({ time, text }) =>
            element('li', {}, element('time', { datetime: time }, clock(time)), ' ', element('span', {}, text)),
          ),
        ),
  ];
}

function pastLoad({ points }: PastLoad, text: string, timeline: SkewReport['status']['timeline']): Child {
  const times = points.map(({ time }) => Date.parse(time));
  const [from = 0, to = 0] = [times[0], times.at(-1)];
  if (points.length < 2 || !(to > from)) return list([text]);
  const most = maxOf(
    points.flatMap(({ pods, effectivePods }) => [pods, effectivePods]),
    1,
  );
  const x = (time: number) => place(((time - from) / (to - from)) * size.width);
  const y = (pods: number) => place(size.height * (1 - pods / most));
  // A point stands for the time before it, so that the line goes in steps.
  const steps = (values: readonly number[]) =>
    values.map((value, at) => (at === 0 ? `M0 ${y(value)}` : `V${y(value)}H${x(times[at] ?? to)}`)).join('');
  const used = steps(points.map(({ effectivePods }) => effectivePods));
  const events = timeline.filter(({ time }) => Date.parse(time) >= from && Date.parse(time) <= to);
  return element(
    'div',
    { class: 'past' },
    element('p', {}, text),
    element(
      'svg',
      { viewBox: `0 0 ${size.width} ${size.height}`, image: 'Pods used, and pods that were there, over the last hour' },
      element('path', { class: 'area', d: `${used}V${size.height}H0z` }),
      element('path', { class: 'there', d: steps(points.map(({ pods }) => pods)) }),
      element('path', { class: 'used', d: used }),
      events.map(({ time, text: what }) =>
        element(
          'path',
          { class: 'event', d: `M${x(Date.parse(time))} 0V${size.height}` },
          element('title', {}, `${clock(time)}: ${what}`),
        ),
      ),
    ),
    element(
      'p',
      { class: 'legend ends' },
      element('span', {}, clock(points[0]?.time ?? '')),
      element('span', {}, 'filled: pods used · line: pods that were there · upright: what happened'),
      element('span', {}, clock(points.at(-1)?.time ?? '')),
    ),
  );
}

const place = (value: number) => Math.round(value * 10) / 10;
