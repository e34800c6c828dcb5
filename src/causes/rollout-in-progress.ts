import { plural } from '../report/words.ts';
import { unsettled } from './consequences.ts';
import type { CauseUnit } from './unit.ts';

export const rolloutInProgress: CauseUnit = {
  id: 'rollout-in-progress',
  title: 'A rollout is under way',
  family: 'not-load-balancing',
  needs: ['endpoints', 'clients'],
  signature:
    'The Deployment behind the Service has pods of an old and of a new revision, or fewer updated pods than wanted.',
  confidenceRule:
    'certain when the Deployment says so; likely when only its pods show two revisions, one of them being terminated.',
  rivals: [{ id: 'new-pods-idle', toldApartBy: 'the same look after the rollout' }],
  decides: unsettled('uneven, but a rollout is under way', 'the same again when the rollout is done'),
  find(facts) {
    const rolling = facts.deployments.find(
      (entry) =>
        entry.replicas !== null &&
        (!entry.observed ||
          (entry.updatedReplicas ?? 0) < entry.replicas ||
          (entry.currentReplicas ?? 0) > entry.replicas),
    );
    if (rolling !== undefined) {
      return {
        confidence: 'certain',
        text: `deployment/${rolling.name} is being rolled out: ${rolling.updatedReplicas ?? 0} of ${rolling.replicas ?? 0} pods are updated`,
        evidence: [
          `deployment/${rolling.name}: ${rolling.updatedReplicas ?? 0} updated, ${plural(rolling.currentReplicas ?? 0, 'pod')} in all, ${rolling.replicas ?? 0} wanted`,
        ],
        settledBy: ['the same look after the rollout'],
      };
    }
    if (facts.deployments.length > 0) return null;
    const hash = (labels: Readonly<Record<string, string>>) => labels['pod-template-hash'];
    const present = new Set(facts.replicas.map((pod) => hash(pod.pod?.labels ?? {})));
    const leaving = facts.unreadyPods.filter((pod) => pod.pod?.deletedAt != null && !present.has(hash(pod.pod.labels)));
    if (leaving.length === 0) return null;
    return {
      confidence: 'likely',
      text: `${plural(leaving.length, 'pod')} of another revision ${leaving.length === 1 ? 'is' : 'are'} being terminated`,
      evidence: ['pods of two revisions, one of them Terminating'],
      settledBy: ['the same look after the rollout'],
    };
  },
};
