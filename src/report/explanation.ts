/**
 * SkewExplanation: what a cause, a strategy, a signal, a state, the result of a comparison or a word is, as published data.
 *
 * The rules of SkewReport hold: only additions within a version, ids as everywhere.
 */
import { type Static, Type } from 'typebox';
import { reportApiVersion } from './api-version.ts';
import { explanationSections, explanationTopics } from './ids.ts';
import { oneOf, text, texts } from './types.ts';

const head = {
  topic: oneOf(explanationTopics),
  id: Type.String(),
  title: text('What it is, in one line'),
};

export const SkewExplanation = Type.Object(
  {
    apiVersion: Type.Literal(reportApiVersion),
    kind: Type.Literal('SkewExplanation'),
    ...head,
    sections: Type.Array(Type.Object({ name: oneOf(explanationSections), texts: texts('Its sentences') })),
  },
  { $id: 'urn:grpc-skew:v1alpha1:SkewExplanation', title: 'SkewExplanation' },
);
export type SkewExplanation = Static<typeof SkewExplanation>;

export const SkewExplanationList = Type.Object(
  {
    apiVersion: Type.Literal(reportApiVersion),
    kind: Type.Literal('SkewExplanationList'),
    items: Type.Array(Type.Object(head)),
  },
  { $id: 'urn:grpc-skew:v1alpha1:SkewExplanationList', title: 'SkewExplanationList' },
);
export type SkewExplanationList = Static<typeof SkewExplanationList>;
