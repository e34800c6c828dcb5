import type { SkewReport } from '../report/schema.ts';
import { changedPods } from './manifests.ts';
import {
  applyCommand,
  type FixContext,
  isAmbient,
  patchCommand,
  type Step,
  type StrategyFix,
  step,
  xdsChannel,
} from './parts.ts';
import { policyOf } from './policy.ts';
import { type FixSubject, hostOf } from './subject.ts';

/** The agent of Istio beside the clients, and xDS in their library. Source: istio.io/latest/blog/2021/proxyless-grpc. */
export function proxylessXdsFix(context: FixContext): StrategyFix {
  const { report, subject, language } = context;
  const target = `xds:///${hostOf(subject.name, subject.namespace)}:${subject.servicePort}`;
  const policy = policyOf(report, subject, 'ROUND_ROBIN');
  return {
    notes: [
      'made for Istio: its grpc-agent template starts the agent and sets GRPC_XDS_BOOTSTRAP; another control plane needs a bootstrap file of its own',
      ...(isIstio(report) ? [] : ['no Istio proxy was seen: without a control plane these clients reach nothing']),
      'gRPC implements a part of xDS; of Istio’s balancing ROUND_ROBIN, and what it does not know it ignores without a word',
    ],
    manifests: [...policy.manifests, ...subject.clients.map((workload) => changedPods(workload, { annotations }))],
    ...xdsChannel(language, target),
    steps: [
      step('build the clients with xDS in their library, and roll it out; their target stays'),
      step(
        `one client first: a copy of its workload with one replica, the annotations of the manifest and the target ${target}; see that its calls reach all pods`,
      ),
      ...policy.before,
      ...annotateSteps(context, policy.manifests),
      ...policy.steps,
      step(`the others: the target ${target}, which works only where the agent runs already`),
    ],
    undo: [
      step(
        'clients: the old target again, before the agent goes; xDS in their library may stay, unused it does no harm',
      ),
      ...unannotated(subject),
      ...policy.undo,
    ],
  };
}

const annotations = {
  'inject.istio.io/templates': 'grpc-agent',
  'proxy.istio.io/config': '{"holdApplicationUntilProxyStarts": true}',
} as const;

function isIstio(report: SkewReport): boolean {
  const { service, path } = report.status;
  return (
    service.proxies.includes('istio-proxy') ||
    isAmbient(report) ||
    path.hops.some((hop) => hop.kind === 'proxyless-xds')
  );
}

function annotateSteps(context: FixContext, policy: StrategyFix['manifests']): Step[] {
  const apply = applyCommand(context, 'proxyless-xds');
  if (context.subject.clients.length > 0)
    return [step('annotate the clients: all their pods are replaced, and dial the old target beside the agent', apply)];
  return [
    ...(policy.length === 0 ? [] : [step('apply the policy', apply)]),
    step('annotate the pods of the clients by hand, whose workloads are not known: they are replaced'),
  ];
}

function unannotated(subject: FixSubject): Step[] {
  const none = Object.fromEntries(Object.keys(annotations).map((key) => [key, null]));
  return subject.clients.map((workload) =>
    step(
      `take the annotations off ${workload.resource} ${workload.name}: its pods are replaced`,
      patchCommand(subject, workload, 'merge', { spec: { template: { metadata: { annotations: none } } } }),
    ),
  );
}
