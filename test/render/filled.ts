import fc from 'fast-check';
import type { SkewReport } from '../../src/report/schema.ts';

/** The same report with one text in the place of every text that comes from a cluster. */
export function filledWith(one: SkewReport, text: string): SkewReport {
  const { headline, verdict } = one.status;
  return {
    ...one,
    metadata: { ...one.metadata, name: text, namespace: text, context: text },
    status: {
      ...one.status,
      headline: { ...headline, since: text, why: text, now: text, fix: text, notSeen: [text, text] },
      verdict: { ...verdict, summary: text, settledBy: text },
      impact: { ...one.status.impact, text },
      pods: one.status.pods.map((pod) => ({ ...pod, name: text, node: text, zone: text, notSeen: text })),
      clients: one.status.clients.map((client) => ({ ...client, workload: text, namespace: text, team: text })),
      leftOut: [{ what: text, connections: 1, why: text }],
      causes: one.status.causes.map((cause) => ({
        ...cause,
        title: text,
        text,
        evidence: [text],
        against: [text],
        settledBy: [text],
      })),
      relief: one.status.relief.map((relief) => ({
        ...relief,
        action: text,
        prediction: text,
        risk: text,
        command: text,
      })),
      avoid: [text],
      timeline: one.status.timeline.map((entry) => ({ ...entry, text })),
      warnings: [{ id: text, text }],
      recommendation: { ...one.status.recommendation, first: [text], because: [text] },
    },
  };
}

/** Texts that are markup somewhere. */
export const nasty = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...['`', '``', '```', '\\', '|', '\n', '\r\n', '# ', '* ', '- ', '> ', '---', '    ', '<b>', '</td>', '<!--'],
        ...['[a](b)', '![a](b)', '@all', '#1', 'http://x.y', '&lt;', '&', '_', '**', '~~', '$x$', '^', '!1', 'x'],
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);
