import type { StrategyId } from '../report/ids.ts';
import { duration } from '../report/words.ts';
import { l7Proxy } from './l7-proxy.ts';
import { annotatedPods, destinationRule, headlessName, headlessService } from './manifests.ts';
import {
  applyCommand,
  both,
  clientChannel,
  type FixContext,
  type FixParts,
  isAmbient,
  serverAge,
  step,
  xdsChannel,
} from './parts.ts';
import { hostOf } from './place.ts';
import { supportOf } from './support.ts';

/**
 * Time that calls in flight have after the age: twice the longest call. How long calls take is not seen from outside, so
 * that it is taken for 15 s; the texts say to put one's own in.
 */
const graceSeconds = 30;

/** What each strategy changes. The order of the steps is the order without an outage. */
export const fixes: Readonly<Record<StrategyId, (context: FixContext) => FixParts>> = {
  'cluster-ip': () => ({
    notes: ['the Service stays as it is: nothing to apply'],
    manifests: [],
    code: [],
    options: [],
    steps: [],
    undo: [],
  }),

  'max-connection-age': ({ report, place, language }) => {
    const age = report.status.recommendation.connectionAgeSeconds;
    const target = `${hostOf(place.name, place.namespace)}:${place.servicePort}`;
    const wish = { target, roundRobin: false, health: false, ageSeconds: age };
    return {
      notes: [
        `age ${duration(age)}: the shortest of 5, 10, 15, 30, 60 min with at most one reconnect a second and pod; libraries spread it by ±10 %`,
        graceNote,
        retryNote,
      ],
      manifests: [],
      ...both(serverAge(language, { ageSeconds: age, graceSeconds }), clientChannel(language, wish)),
      steps: [
        step('clients: add the retry policy and roll it out; their target stays'),
        step('server: add the age, roll it out, to one pod first'),
        step(`wait ${duration(1.1 * age)}: by then every connection has been dealt anew`),
      ],
      undo: [step('server: take the option out again and roll out; nothing else has to change')],
    };
  },

  'headless-round-robin': ({ report, place, language }) => {
    const { service, recommendation } = report.status;
    const age = recommendation.connectionAgeSeconds;
    const isThere = service.headless;
    const hasSelector = Object.keys(service.selector).length > 0;
    const name = isThere ? place.name : headlessName(place);
    const hasAge = language === null || supportOf(language, 'connection-age').has;
    const host = hostOf(name, place.namespace);
    const wish = { target: `dns:///${host}:${place.targetPort}`, roundRobin: true, health: true, ageSeconds: age };
    const create = isThere
      ? []
      : [
          step(
            'create the second Service: nothing that runs now is touched',
            applyCommand(place, 'headless-round-robin'),
          ),
          step(
            'see that it has the addresses of all pods',
            `kubectl get endpointslices -n ${place.namespace} -l kubernetes.io/service-name=${name}${place.context}`,
          ),
        ];
    return {
      notes: [
        isThere
          ? 'the Service is headless already: what is missing is in the clients and the server'
          : `clusterIP cannot be changed, so that a second Service, ${name}, stands beside ${place.name}; both select the same pods`,
        `the clients dial the target port ${place.targetPort} of the pods${place.targetPort === place.servicePort ? '' : `, not the Service port ${place.servicePort}`}`,
        `with TLS, the certificate must name ${host}, or the clients keep the old name as their authority`,
        ...(hasAge
          ? [
              'the connection age is part of it: at the end of a connection a client asks DNS again and finds new pods',
              graceNote,
            ]
          : ['without a connection age clients find new pods only when a connection ends for another reason']),
        retryNote,
        ...(isThere || Object.keys(service.labels).length === 0
          ? []
          : [`${name} bears the labels of ${place.name}: a ServiceMonitor that selects by them finds both`]),
        ...(isThere || service.type === 'ClusterIP'
          ? []
          : [`clients outside the cluster cannot use ${name}: they stay with ${place.name} (${service.type})`]),
        ...(hasSelector || isThere
          ? []
          : ['the Service has no selector: give the second one the same EndpointSlices by hand']),
      ],
      manifests: isThere || !hasSelector ? [] : [headlessService(place, service)],
      ...both(serverAge(language, { ageSeconds: age, graceSeconds }), clientChannel(language, wish)),
      steps: [
        ...(hasAge ? [step('server: add the connection age and roll it out')] : []),
        ...create,
        step('clients: one pod first with the new target and service config, then the others'),
      ],
      undo: [
        step(isThere ? 'clients: the old service config again' : 'clients: the old target and service config again'),
        ...(isThere
          ? []
          : [
              step(
                'when no client uses it any more',
                `kubectl delete service ${name} -n ${place.namespace}${place.context}`,
              ),
            ]),
      ],
    };
  },

  'l7-proxy': l7Proxy,

  'proxyless-xds': ({ report, place, language }) => {
    const { proxies } = report.status.service;
    const isIstio =
      proxies.includes('istio-proxy') ||
      isAmbient(report) ||
      report.status.path.hops.some((hop) => hop.kind === 'proxyless-xds');
    const target = `xds:///${hostOf(place.name, place.namespace)}:${place.servicePort}`;
    return {
      notes: [
        'made for Istio: its grpc-agent template starts the agent and sets GRPC_XDS_BOOTSTRAP; another control plane needs a bootstrap file of its own',
        ...(isIstio ? [] : ['no Istio proxy was seen: without a control plane these clients reach nothing']),
        'gRPC implements a part of xDS; of Istio’s balancing ROUND_ROBIN, and what it does not know it ignores without a word',
        'the pods of the clients are replaced when their annotations change',
      ],
      manifests: [
        destinationRule(place, 'ROUND_ROBIN'),
        ...place.clients.map((workload) =>
          annotatedPods(workload, {
            'inject.istio.io/templates': 'grpc-agent',
            'proxy.istio.io/config': '{"holdApplicationUntilProxyStarts": true}',
          }),
        ),
      ],
      ...xdsChannel(language, target),
      steps: [
        step('build the clients with xDS in their library; their target stays'),
        step('annotate their pods: the agent comes with the new pods', applyCommand(place, 'proxyless-xds')),
        step(`one client first with the target ${target}, then the others`),
      ],
      undo: [
        step('clients: the old target again'),
        ...place.clients.map((workload) =>
          step(
            `take the annotations off ${workload.resource} ${workload.name}`,
            `kubectl patch ${workload.resource} ${workload.name} -n ${workload.namespace}${place.context} --type=merge -p '{"spec":{"template":{"metadata":{"annotations":{"inject.istio.io/templates":null,"proxy.istio.io/config":null}}}}}'`,
          ),
        ),
      ],
    };
  },
};

const graceNote = `grace ${graceSeconds} s: make it twice your longest call; what takes longer is cut off, endless streams once per age`;
const retryNote =
  'a retry repeats a call that met UNAVAILABLE: name only methods that may run twice, if not all may ("name" in methodConfig)';
