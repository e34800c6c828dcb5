import { type Facts, isUneven } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { readStreams } from '../facts/streams.ts';
import { maxOf } from '../figures/extremes.ts';
import { figure, listed, percent, plural } from '../report/words.ts';
import { perCall, sticky } from './cures.ts';
import type { CauseUnit } from './unit.ts';

/** Seconds: what outlives a minute outlives any new deal of the connections that helps at once. */
const longSeconds = 60;

export const longStreams: CauseUnit = {
  id: 'long-streams',
  title: 'Long streams stay on the pod where they began',
  family: 'sticky-connections',
  needs: ['calls'],
  signature:
    'By the counters of the pods more calls are in flight (started − handled) than ended in the window, and what they carry is uneven: one stream is one call, and stays on one pod however calls are balanced.',
  confidenceRule:
    'certain when the pods count messages, most of them belong to calls that did not end, and calls last for a minute at least (those in flight ÷ those that end per second); likely when the window is too short to say how long they last, or messages are not counted and no call ended; else possible. Never found without counters: the bytes of a stream look like those of many calls.',
  rivals: [
    { id: 'hot-connection', toldApartBy: 'the calls in flight on that pod: one that does not end, or many that do' },
    { id: 'hot-client', toldApartBy: 'the calls that end: many of one client, or hardly any' },
    { id: 'few-connections', toldApartBy: 'calls that begin: hardly any, or many on few connections' },
    { id: 'stream-limit', toldApartBy: 'calls that end while the number in flight stands: many, or hardly any' },
  ],
  indivisible: 'one endless stream carries it: no way of balancing splits a call',
  ...sticky,
  curedBy: perCall,
  firstStep:
    'end and reopen streams after some minutes, or split the heavy one: a stream stays on its pod while it lasts',
  find(facts) {
    const streams = readStreams(facts);
    if (!isUneven(facts) || streams === null || streams.open <= streams.ended) return null;
    const busiest = facts.load.indexOf(maxOf(facts.load.map((share) => share ?? 0)));
    const pod = facts.replicas[busiest];
    if (pod === undefined || (streams.byReplica[busiest] ?? 0) === 0) return null;
    const { ofStreams } = streams;
    // Streams that carry little explain little.
    if (ofStreams !== null && ofStreams < 0.5) return null;
    const isLong = streams.leastSeconds >= longSeconds;
    const most = maxOf(streams.byReplica) / streams.open;
    const fair = 1 / facts.replicas.length;
    return {
      confidence: ofStreams === null ? (streams.ended === 0 ? 'likely' : 'possible') : isLong ? 'certain' : 'likely',
      text: `${plural(streams.open, 'stream')} ${streams.open === 1 ? 'stays' : 'stay'} where ${streams.open === 1 ? 'it' : 'they'} began: ${pod.name} has ${percent(facts.load[busiest] ?? 0)} of the load`,
      evidence: [
        `${plural(streams.open, 'call')} in flight, ${streams.ended} ended within ${figure(streams.seconds)} s`,
        ofStreams !== null && `${percent(ofStreams)} of the messages are of calls that do not end`,
        `streams per pod: ${perPod(facts, streams.byReplica)}`,
        most < limits.skewedPeakToMean * fair && 'their number is about even, what they carry is not',
      ],
      settledBy:
        ofStreams === null
          ? ['counters of messages in the metrics of the pods']
          : isLong
            ? []
            : ['a longer --window: how many of the calls end'],
    };
  },
};

function perPod(facts: Facts, open: readonly number[]): string {
  const named = facts.replicas.map((pod, index) => ({ name: pod.name, count: open[index] ?? 0 }));
  return listed(
    named
      .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .map(({ name, count }) => `${name} ${count}`),
    4,
  );
}
