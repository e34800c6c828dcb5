import type { StuckPod } from '../facts/stuck.ts';
import { confidences } from '../report/ids.ts';
import { countOf, duration, percent, plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const stuckPod: CauseUnit = {
  id: 'stuck-pod',
  title: 'A pod does not read what its clients send',
  family: 'health',
  needs: ['endpoints', 'connections'],
  signature:
    'On connections of one pod data waits in the receive queue in both samples, and the pod has read and sent nothing on any of its connections: its program stands still while the kernel goes on receiving.',
  confidenceRule:
    'certain when what was received grew by no more than what waits (so nothing was read), nothing was sent, and the data has waited for 10 s or more; likely when it has waited for less, as it does in a long pause; possible when bytes are not known or there was one sample.',
  rivals: [
    {
      id: 'uneven-work',
      toldApartBy: 'what the pod reads in a longer window: a busy pod reads late, a stuck one nothing',
    },
    { id: 'pods-not-ready', toldApartBy: 'the receive queues of the pod that is not Ready' },
  ],
  relief: ['replace-stuck'],
  avoid: ({ stuck }) =>
    stuck.some(({ confidence }) => confidence !== 'possible')
      ? ['do not restart all pods: the others serve their clients']
      : [],
  firstStep: 'dump the threads of the stuck pod before it goes: what it waits for is seen nowhere else',
  find({ stuck }) {
    const [first] = stuck;
    if (first === undefined) return null;
    const best = confidences.find((level) => stuck.some(({ confidence }) => confidence === level)) ?? 'possible';
    return {
      confidence: best,
      text:
        stuck.length === 1
          ? `${first.pod.name} has read nothing for ${duration(first.seconds)}, while clients send to it`
          : `${stuck.length} pods read nothing, while clients send to them`,
      evidence: stuck.slice(0, 5).map(describe),
      settledBy: [
        best !== 'certain' &&
          'the same look with a --window of 10 s, in an image with ss: whether the pod reads at all',
      ],
    };
  },
};

function describe({ pod, waiting, bytes, seconds }: StuckPod): string {
  const limit = pod.cpu?.limitMillicores ?? null;
  const cpu = pod.cpu === null || !limit ? '' : `; it uses ${percent(pod.cpu.millicores / limit)} of its CPU limit`;
  return `${pod.name}: ${plural(bytes, 'byte')} wait on ${countOf(waiting, 'connection', 'connections')} for ${duration(seconds)} or more${cpu}`;
}
