import { describe, expect, test } from 'vitest';
import { podTone } from '../../src/render/columns.ts';
import { severityTone, stateLabel } from '../../src/render/headline.ts';
import type { State, VerdictKind } from '../../src/report/ids.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { pod, scaleUp } from './reports.ts';

type Level = SkewReport['status']['impact']['level'];

function reportOf(state: State, level: Level, kind: VerdictKind | null = null): SkewReport {
  const { status } = scaleUp;
  return {
    ...scaleUp,
    status: { ...status, verdict: { ...status.verdict, state, kind }, impact: { ...status.impact, level } },
  };
}

describe('one scale of severity', () => {
  test.each<readonly [string, SkewReport, string]>([
    ['SKEWED', reportOf('skewed', 'none'), 'warn'],
    ['SKEWED', reportOf('skewed', 'risk'), 'warn'],
    ['SKEWED', reportOf('skewed', 'harm'), 'hot'],
    ['FAULT', reportOf('not-load-balancing', 'none', 'fault'), 'warn'],
    ['FAULT', reportOf('not-load-balancing', 'harm', 'fault'), 'hot'],
    ['OUTAGE', reportOf('not-load-balancing', 'harm', 'outage'), 'hot'],
    ['BY SETTING', reportOf('not-load-balancing', 'none', 'by-setting'), 'strong'],
    ['ONE POD', reportOf('not-load-balancing', 'none', 'single-pod'), 'strong'],
    ['NO TRAFFIC', reportOf('no-traffic', 'none'), 'strong'],
    ['UNKNOWN', reportOf('unknown', 'unknown'), 'strong'],
    ['BALANCED', reportOf('balanced', 'none'), 'good'],
  ])('%s', (label, report, tone) => {
    expect(stateLabel(report)).toBe(label);
    expect(severityTone(report.status)).toBe(tone);
  });

  test('a hot pod is red where the Service is harmed, and only there', () => {
    const hot = pod('echo-0', { marks: ['hot'] });
    const tones = (['none', 'risk', 'unknown', 'harm'] as const).map((level) =>
      podTone(hot, { id: 'bar' }, reportOf('skewed', level)),
    );
    expect(tones).toEqual(['warn', 'warn', 'warn', 'hot']);
  });
});
