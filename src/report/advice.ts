/** What a report advises, as published data: the strategies with their predictions, the one to take, and what helps in minutes. */
import { type Static, Type } from 'typebox';
import { actions, strategyIds } from './ids.ts';
import { nullable, oneOf, text, texts } from './types.ts';

export const Prediction = Type.Object({
  effectivePods: nullable(Type.Number()),
  effectivePodsRange: nullable(Type.Tuple([Type.Number(), Type.Number()], { description: '10th and 90th percentile' })),
  peakToMean: nullable(Type.Number()),
  newPod: text('When a new pod gets its share'),
  newPodSeconds: Type.Optional(
    nullable(Type.Number({ description: 'The same; 0: at once; null: not until clients reconnect' })),
  ),
  connections: Type.Optional(nullable(Type.Integer({ description: 'Clients × pods, where each connects to all' }))),
  reconnectsPerSecond: Type.Optional(nullable(Type.Number({ description: 'That a connection age causes' }))),
  connectionAgeSeconds: Type.Optional(Type.Integer({ description: 'The connection age that the server would have' })),
  cost: texts('What it costs'),
});
export type Prediction = Static<typeof Prediction>;

export const Precondition = Type.Object({ text: Type.String(), status: oneOf(['met', 'failed', 'unknown'] as const) });
export type Precondition = Static<typeof Precondition>;

export const StrategyAnswer = Type.Object({
  id: oneOf(strategyIds),
  title: Type.String(),
  fits: texts('What speaks for it here'),
  against: texts('What speaks against it here'),
  preconditions: Type.Array(Precondition),
  prediction: Prediction,
});
export type StrategyAnswer = Static<typeof StrategyAnswer>;

export const Recommendation = Type.Object({
  strategy: oneOf(strategyIds),
  action: oneOf(actions),
  current: oneOf(strategyIds),
  rule: Type.Integer({ description: 'Number of the row of the list of rules that decided' }),
  text: text('One line for people'),
  first: texts('What to do before anything else'),
  commands: Type.Optional(
    Type.Array(nullable(Type.String()), { description: 'For each of first the command that shows more; null: none' }),
  ),
  alternative: nullable(oneOf(strategyIds)),
  because: texts('Reasons'),
  ownership: oneOf(['owned', 'third-party', 'mixed', 'unknown'] as const),
  ownershipBasis: text('How the ownership of the clients was inferred'),
  strategies: Type.Array(StrategyAnswer),
  connectionAgeSeconds: Type.Integer({ description: 'The age that a MaxConnectionAge would have here' }),
});
export type Recommendation = Static<typeof Recommendation>;

export const Relief = Type.Object({
  action: Type.String(),
  command: nullable(Type.String()),
  prediction: Type.String(),
  risk: Type.String(),
});
export type Relief = Static<typeof Relief>;
