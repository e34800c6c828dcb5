import type { Facts } from '../facts/facts.ts';
import type { PodConnections } from '../facts/peers/connections.ts';
import { maxOf } from '../figures/extremes.ts';
import { countOf, duration, plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

/** Seconds: a client that has just started opens all its connections at once, and that is no churn. */
const startingSeconds = 60;

/** Fewer that closed may have been other ones. */
const leastClosed = 5;

export const connectionChurn: CauseUnit = {
  id: 'connection-churn',
  title: 'Connections open and close all the time',
  family: 'sticky-connections',
  needs: ['connections'],
  signature:
    'Between the samples more connections opened and closed than stayed, and those that closed had carried hardly a call each; or many wait out TIME-WAIT while hardly one is open: each is placed anew, so those of one moment say nothing about the load.',
  confidenceRule:
    'certain when connections were seen to open and five or more to close, by clients that have run for a while; likely when only TIME-WAIT or one of the two was seen; possible when most of the new ones are of clients that have just started.',
  rivals: [
    { id: 'few-connections', toldApartBy: 'whether the same connections are there in both samples' },
    { id: 're-dealt', toldApartBy: 'what a connection has carried when it closes: one call, or many' },
    { id: 'connection-leak', toldApartBy: 'connections that close: as many as open, or none' },
  ],
  firstStep: 'let the clients keep one channel and make all calls on it: then balance them in the client',
  find(facts) {
    if (!facts.perCall) return null;
    const sockets = facts.replicas.flatMap((pod) => pod.sockets ?? []);
    const sum = (value: (entry: PodConnections) => number) => sockets.reduce((total, entry) => total + value(entry), 0);
    const opened = sum((entry) => entry.opened);
    const closed = sum((entry) => entry.closed);
    const kept = sum((entry) => entry.connections.filter((connection) => connection.kept).length);
    const waiting = sum((entry) => entry.timeWait ?? 0);
    const seconds = maxOf(
      sockets.map((entry) => entry.seconds ?? 0),
      0,
    );
    const starting = justStarted(facts);
    const isStart = opened > 0 && starting > opened / 2;
    return {
      confidence: isStart ? 'possible' : opened > 0 && closed >= leastClosed ? 'certain' : 'likely',
      text: 'connections open and close all the time, so those of one moment say nothing about the load',
      evidence: [
        opened + closed > 0 &&
          `within ${duration(seconds)} ${opened} opened and ${closed} closed, ${kept} ${kept === 1 ? 'was' : 'were'} there in both looks`,
        waiting > 0 && `${plural(waiting, 'socket')} in TIME-WAIT at the port`,
      ],
      against: [
        isStart &&
          `${countOf(starting, 'new connection is of a client', 'new connections are of clients')} that started less than ${startingSeconds} s ago`,
      ],
      settledBy: ['the calls that each pod counts, or its CPU over a few minutes'],
    };
  },
};

/** New connections of clients whose pod has started within the last minute. */
function justStarted({ allConnections, now }: Facts): number {
  return allConnections.filter(({ connection }) => {
    const started = connection.peer.startedAt;
    return !connection.kept && started !== null && now - started < startingSeconds * 1000;
  }).length;
}
