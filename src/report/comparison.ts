/** What a report says of an earlier run, as published data. */
import { type Static, Type } from 'typebox';
import { bases, comparisonResults, spans, states } from './ids.ts';
import { fraction, nullable, oneOf, text, texts } from './types.ts';

/** One side of a comparison, on the basis that both share; where they share none, on its own. */
export const ComparedRun = Type.Object({
  generatedAt: text('The time of its last look (RFC 3339)'),
  state: oneOf(states),
  pods: Type.Integer({ description: 'Ready endpoints of the port that have a pod' }),
  basis: Type.Optional(nullable(oneOf(bases))),
  span: Type.Optional(nullable(oneOf(spans))),
  effectivePods: nullable(Type.Number()),
  effectivePodsRange: nullable(
    Type.Tuple([Type.Number(), Type.Number()], {
      description: 'With the noise of the measurement and the pods not seen',
    }),
  ),
  hottestPod: nullable(Type.String()),
  hottestShare: fraction('Share of the load of the hottest pod'),
});
export type ComparedRun = Static<typeof ComparedRun>;

export const Comparison = Type.Object(
  {
    result: oneOf(comparisonResults),
    basis: nullable(oneOf(bases)),
    text: text('One line: "by calls: 9.4 of 10 pods used, before 2.7 of 10"'),
    before: ComparedRun,
    after: ComparedRun,
    hotPodMoved: Type.Boolean({ description: 'Another pod is hot than before' }),
    leftOut: texts('Pods that the first run measured and that the second one shows, but did not measure'),
    notes: texts('What to know of the two runs'),
    settledBy: nullable(text('For cannot-tell: the look that would settle it')),
    settledInSeconds: Type.Optional(
      nullable(
        Type.Number({
          description: 'For cannot-tell: the --window that would probably settle it, by the calls of now',
        }),
      ),
    ),
  },
  { description: 'With the run that --baseline names' },
);
export type Comparison = Static<typeof Comparison>;
