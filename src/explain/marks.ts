import { limits, newSeconds } from '../facts/limits.ts';
import type { PodMark } from '../report/ids.ts';
import type { Meaning } from '../report/meaning.ts';
import { duration } from '../report/words.ts';

/** What the marks of the table of pods mean; `idle` is a word of the verdict, and explained as one. */
const marks: Readonly<Record<Exclude<PodMark, 'idle'> | 'not-in-service', Omit<Meaning, 'id'>>> = {
  hot: {
    title: `A pod with about ${limits.skewedPeakToMean} times its fair share of the load, or more`,
    means: ['from so much on a Service may be skewed'],
  },
  new: {
    title: 'A pod that is younger than the others',
    means: [`under ${duration(newSeconds)} old: it has the connections that were opened since, and no others`],
  },
  'not-ready': {
    title: 'A pod that is no ready endpoint',
    means: ['it gets no new connections; those that it has stay until somebody closes them'],
  },
  'not-in-service': {
    title: 'A pod that is no endpoint of the Service, and Ready',
    means: [
      'it has left the Service: it gets no new connections, and those that it has stay until somebody closes them',
    ],
  },
  terminating: {
    title: 'A pod that is being deleted',
    means: ['it gets no new connections, and ends those that it has when it goes'],
  },
  restarted: {
    title: 'A container of the pod has restarted; restarted-3x: three times',
    means: ['with each restart the pod lost its connections'],
  },
  'oom-killed': {
    title: 'A container of the pod was killed for memory when it ended last',
    means: ['the pod may have carried more than it does now'],
  },
  'not-seen': {
    title: 'A pod whose connections were not read',
    means: [
      'its load is not known, and is not counted as none; the details and the line "not seen" say why',
      'as a line of the report: what could not be looked at, and the right that is missing',
    ],
    says: ['not seen'],
  },
  'no-metrics': {
    title: 'A pod of which the metrics API tells no CPU and memory',
    means: ['it is too young for that, or its node does not answer; that is not the same as 0'],
  },
};

/** Marks with their meaning: one wording for `explain` and completion. */
export const markFacts: readonly Meaning[] = Object.entries(marks).map(([id, fact]) => ({ id, ...fact }));
