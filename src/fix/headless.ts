import { kubectl } from '../report/command.ts';
import type { SkewReport } from '../report/schema.ts';
import { ageNote, ageOf, graceNote, graceSeconds, hasAge, retryNote } from './age.ts';
import { headlessService } from './manifests.ts';
import {
  applyCommand,
  both,
  clientChannel,
  type FixContext,
  type Step,
  type StrategyFix,
  serverAge,
  step,
  stepAbsent,
} from './parts.ts';
import { type Dialled, dialledService } from './second-service.ts';
import { type FixSubject, hostOf } from './subject.ts';

/** round_robin in the clients, over the name of a headless Service: this one, one that is there, or a new one. */
export function headlessRoundRobinFix(context: FixContext): StrategyFix {
  const { report, subject, language } = context;
  const { service } = report.status;
  const ageSeconds = ageOf(report, 'headless-round-robin');
  const dialled = dialledService(subject, service);
  const target = `dns:///${hostOf(dialled.name, subject.namespace)}:${subject.targetPort}`;
  const isMade = dialled.kind === 'new' && hasSelector(service);
  return {
    notes: [
      ...serviceNotes(subject, service, dialled),
      ...(hasAge(language)
        ? [
            'the connection age is part of it: at the end of a connection a client asks DNS again and finds new pods',
            ageNote(ageSeconds),
            graceNote,
          ]
        : ['without a connection age clients find new pods only when a connection ends for another reason']),
      retryNote,
    ],
    manifests: isMade ? [headlessService(subject, service, dialled.name)] : [],
    ...both(
      serverAge(language, { ageSeconds, graceSeconds }),
      clientChannel(language, { target, roundRobin: true, health: true, ageSeconds }),
    ),
    steps: [
      ...serviceSteps(context, dialled),
      step(
        dialled.kind === 'own'
          ? 'clients: one pod first with the new service config, then the others'
          : `clients: one pod first with the target ${target} and the new service config, then the others`,
      ),
      ...(hasAge(language) ? [serverStep(subject, dialled)] : []),
    ],
    undo: [
      step(
        dialled.kind === 'own'
          ? 'clients: the old service config again'
          : 'clients: the old target and service config again',
      ),
      ...(hasAge(language)
        ? [
            step(
              'server: the age may stay, it does no harm; to take it out is a rollout, after which the first pods up get most connections',
            ),
          ]
        : []),
      ...serviceUndo(subject, dialled),
    ],
  };
}

type ServiceAnswer = SkewReport['status']['service'];

function hasSelector({ selector }: ServiceAnswer): boolean {
  return Object.keys(selector).length > 0;
}

function serviceNotes(subject: FixSubject, service: ServiceAnswer, dialled: Dialled): string[] {
  const { name } = dialled;
  const port = `the clients dial the target port ${subject.targetPort} of the pods${subject.targetPort === subject.servicePort ? '' : `, not the Service port ${subject.servicePort}`}`;
  if (dialled.kind === 'own')
    return ['the Service is headless already: what is missing is in the clients and the server', port];
  const isNew = dialled.kind === 'new';
  return [
    isNew
      ? `clusterIP cannot be changed, so that a second Service, ${name}, stands beside ${subject.name}; both select the same pods`
      : `${name} is there already, headless and over the same pods: point the clients at it`,
    ...(isNew ? dialled.passedOver : []),
    port,
    `with TLS, the certificate must name ${hostOf(name, subject.namespace)}, or the clients keep the old name as their authority`,
    ...(isNew && Object.keys(service.labels).length > 0
      ? [`${name} bears the labels of ${subject.name}: a ServiceMonitor that selects by them finds both`]
      : []),
    ...(service.type === 'ClusterIP'
      ? []
      : [`clients outside the cluster cannot use ${name}: they stay with ${subject.name} (${service.type})`]),
  ];
}

function serviceSteps(context: FixContext, dialled: Dialled): Step[] {
  const { subject } = context;
  const { service } = context.report.status;
  if (dialled.kind === 'own') return [];
  const { name } = dialled;
  const see = step(
    `see that ${name} has the addresses of all pods`,
    kubectl(subject.at, ['get', 'endpointslices'], ['-l', `kubernetes.io/service-name=${name}`]),
  );
  if (dialled.kind !== 'new') return [see];
  return [
    ...(dialled.isFree ? [] : [stepAbsent(subject, [`service/${name}`])]),
    hasSelector(service)
      ? step(
          'create the second Service: nothing that runs now is touched',
          applyCommand(context, 'headless-round-robin'),
        )
      : step(
          `create a headless Service ${name} by hand, with the same EndpointSlices: ${subject.name} has no selector`,
        ),
    see,
  ];
}

/** After the clients: those hold a connection to each pod by then, so that none is piled up on. */
function serverStep(subject: FixSubject, dialled: Dialled): Step {
  const others = dialled.kind === 'own' ? 'clients without round_robin' : `clients that still dial ${subject.name}`;
  return step(
    `server: add the age and roll it out, one pod first; connections of ${others} pile up on the first pods up, until the age is over`,
  );
}

function serviceUndo(subject: FixSubject, { kind, name }: Dialled): Step[] {
  if (kind === 'own') return [];
  if (kind === 'there') return [step(`${name} stays: it was there before`)];
  return [step('when no client uses it any more', kubectl(subject.at, ['delete', 'service', name]))];
}
