import type { ProbeFaultId } from '../report/ids.ts';
import type { CauseUnit } from './unit.ts';

/** Faults of the probe itself: the server may be well. */
const faults: readonly ProbeFaultId[] = ['unknown-service', 'tls-mismatch', 'no-health-service', 'timeout-too-short'];

export const probeMisconfigured: CauseUnit = {
  id: 'probe-misconfigured',
  title: 'A probe asks the wrong thing, or too hastily',
  family: 'health',
  needs: ['endpoints', 'probes'],
  signature:
    'Probes fail for a reason that lies in the probe: a service name that the server does not know, plaintext to a TLS server, no health service behind it, a timeout near the time that an answer takes.',
  confidenceRule:
    'certain when Events quote the answer; likely when counters, sockets or the port’s name show it; possible when only the pod’s spec and status speak for it.',
  rivals: [{ id: 'pods-not-ready', toldApartBy: 'whether the server answers a health check by hand' }],
  restores: true,
  firstStep: ({ kubectl }) => ({ text: 'correct the probe', command: kubectl(['grpc-skew', 'probes']) }),
  find(facts) {
    // A short timeout that only may be too short is a warning.
    const found = facts.probeFaults.filter(
      (fault) => faults.includes(fault.id) && !(fault.id === 'timeout-too-short' && fault.confidence === 'possible'),
    );
    const [first, ...others] = found;
    if (first === undefined) return null;
    return {
      confidence: first.confidence,
      text: first.text,
      evidence: [...first.evidence, ...others.map((fault) => fault.text)],
      settledBy: first.settledBy,
    };
  },
};
