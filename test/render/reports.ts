/** Reports written by hand: what the renderers must show well. */
import type { ReportPod, SkewReport } from '../../src/report/schema.ts';

type Status = SkewReport['status'];

export function pod(name: string, given: Partial<ReportPod> = {}): ReportPod {
  return {
    name,
    node: 'worker-1',
    zone: 'eu-west-1a',
    endpoint: true,
    ready: true,
    ageSeconds: 194,
    readySeconds: 190,
    restarts: 0,
    load: 0,
    expectedShare: 0.1,
    shares: { connections: 0, bytes: 0, calls: null, cpu: 0.01 },
    connections: 0,
    callsPerSecond: null,
    bytesPerSecond: 0,
    bytesTotal: 0,
    cpuMillicores: 2,
    cpuLimitMillicores: 500,
    throttledShare: null,
    receivedPerSecond: null,
    memoryBytes: 31 * 2 ** 20,
    memoryLimitBytes: 256 * 2 ** 20,
    marks: [],
    notSeen: null,
    ...given,
  };
}

export function report(
  name: string,
  status: Partial<Status>,
  given: Partial<Omit<SkewReport, 'status'>> = {},
): SkewReport {
  return {
    apiVersion: 'grpc-skew/v1alpha1',
    kind: 'SkewReport',
    metadata: {
      name,
      namespace: 'shop',
      context: 'prod-eu',
      generatedAt: '2026-11-29T15:42:55Z',
      toolVersion: '0.1.0',
    },
    spec: { port: { name: 'grpc', port: 50051, targetPort: 50051 }, portNote: null, windowSeconds: 3 },
    ...given,
    status: { ...nothing, ...status },
  };
}

/** An answer about a Service of which nothing is known. */
const nothing: Status = {
  service: {
    type: 'ClusterIP',
    headless: false,
    selector: { app: 'echo' },
    labels: { app: 'echo' },
    ports: [{ name: 'grpc', port: 50051, targetPort: 50051, protocol: 'TCP', appProtocol: null }],
    proxies: [],
  },
  verdict: {
    state: 'unknown',
    basis: null,
    source: null,
    confidence: 'possible',
    summary: 'nothing was seen',
    settledBy: null,
  },
  headline: { since: null, why: '', whyConfidence: null, now: '', fix: '', notSeen: [] },
  impact: { level: 'unknown', text: '' },
  skew: null,
  distributions: [],
  pods: [],
  clients: [],
  path: {
    hops: [],
    protocol: { reading: 'http2', from: 'name', text: 'declared as HTTP/2: proxies see calls' },
    kubeProxyMode: null,
    socketLoadBalancing: null,
  },
  leftOut: [],
  causes: [],
  recommendation: {
    strategy: 'cluster-ip',
    action: 'keep',
    current: 'cluster-ip',
    rule: 0,
    text: '',
    first: [],
    alternative: null,
    because: [],
    ownership: 'unknown',
    ownershipBasis: '',
    strategies: [],
    connectionAgeSeconds: 300,
  },
  relief: [],
  avoid: [],
  probes: [],
  prometheus: null,
  timeline: [],
  signals: [],
  warnings: [],
  execs: 0,
  execPods: 0,
  execWays: {},
  limits: {},
};

const hot = (
  name: string,
  load: number,
  connections: number,
  bytesPerSecond: number,
  cpuMillicores: number,
  ageSeconds: number,
) =>
  pod(name, {
    load,
    connections,
    bytesPerSecond,
    cpuMillicores,
    ageSeconds,
    readySeconds: ageSeconds - 4,
    shares: { connections: connections / 4, bytes: load, calls: null, cpu: load * 0.9 },
    marks: load > 0.4 ? ['hot'] : [],
  });

/** Three pods, four clients, scaled to ten. */
export const scaleUp: SkewReport = report('echo', {
  verdict: {
    state: 'skewed',
    basis: 'bytes',
    source: 'sockets',
    confidence: 'certain',
    summary: '10 pods do the work of 2.7: 7 are idle',
    settledBy: null,
  },
  impact: { level: 'none', text: 'hottest pod at 12 % of its CPU limit, no restarts' },
  headline: {
    since: '15:41:08, scaled 3 → 10',
    why: 'the 4 connections are older than the 7 idle pods',
    whyConfidence: 'certain',
    now: 'do not scale · restarting the clients gives about 3.3 of 10 pods',
    fix: 'headless + round_robin, or an L7 proxy if the clients are not yours',
    notSeen: ['probe metrics (needs get nodes/proxy)'],
  },
  skew: {
    pods: 10,
    seenPods: 10,
    idlePods: 7,
    effectivePods: 2.7,
    effectivePodsRange: null,
    peakToMean: 5,
    gini: 0.75,
    chance: { method: 'exact', probability: 0.496, expectedEffectivePods: 3.3, reason: null },
    ageOrder: { youngestIdle: 7, probability: 0.0081 },
  },
  distributions: [
    {
      basis: 'bytes',
      span: 'window',
      seconds: 3,
      pods: 10,
      effectivePods: 2.7,
      peakToMean: 5,
      idlePods: 7,
      events: 228,
      reading: 'uneven',
      source: 'sockets',
    },
    {
      basis: 'bytes',
      span: 'lifetime',
      seconds: null,
      pods: 10,
      effectivePods: 2.7,
      peakToMean: 5,
      idlePods: 7,
      events: 12240,
      reading: 'uneven',
      source: 'sockets',
    },
    {
      basis: 'cpu',
      span: 'window',
      seconds: 15,
      pods: 10,
      effectivePods: 3.1,
      peakToMean: 4.4,
      idlePods: 7,
      events: null,
      reading: 'uneven',
      source: 'metrics-api',
    },
    {
      basis: 'connections',
      span: 'moment',
      seconds: null,
      pods: 10,
      effectivePods: 2.7,
      peakToMean: 5,
      idlePods: 7,
      events: 4,
      reading: 'uneven',
      source: 'sockets',
    },
  ],
  pods: [
    hot('echo-6f9955d8b4-8htk8', 0.5, 2, 1434, 61, 194),
    hot('echo-6f9955d8b4-2562j', 0.25, 1, 717, 33, 197),
    hot('echo-6f9955d8b4-2n9g5', 0.25, 1, 715, 32, 195),
    ...['4h42j', '5qvvw', '7jx2p', 'c9lrb', 'ftz5n', 'mm6kd', 'xw8sg'].map((end, at) =>
      pod(`echo-6f9955d8b4-${end}`, {
        ageSeconds: 107,
        readySeconds: 101,
        node: `worker-${1 + (at % 3)}`,
        marks: ['idle', 'new'],
      }),
    ),
  ],
  clients: [
    {
      workload: 'deployment/web',
      kind: 'workload',
      namespace: 'shop',
      team: 'storefront',
      pods: 4,
      connections: 4,
      podsReached: 3,
      loadShare: 1,
      perPod: [
        { pod: 'echo-6f9955d8b4-8htk8', connections: 2 },
        { pod: 'echo-6f9955d8b4-2562j', connections: 1 },
        { pod: 'echo-6f9955d8b4-2n9g5', connections: 1 },
      ],
      bytesPerSecond: 2866,
      startedSeconds: 180,
      podsSince: 7,
      dials: [],
      runtime: null,
    },
  ],
  leftOut: [{ what: '10.244.0.1 (worker-1)', connections: 10, why: 'kubelet probes: gone in the second sample' }],
  causes: [
    {
      id: 'new-pods-idle',
      title: 'Pods that came later get nothing until clients reconnect',
      confidence: 'certain',
      text: 'the 4 connections are older than the 7 idle pods',
      evidence: [
        'every connection is at least 2m58s old, the oldest idle pod 1m47s',
        'all 10 pods are Ready and in the EndpointSlice',
        'no connection was opened or closed within 3 s',
      ],
      against: [],
      settledBy: [],
    },
    {
      id: 'few-connections',
      title: 'Fewer connections than pods',
      confidence: 'likely',
      text: '4 connections cannot reach 10 pods',
      evidence: ['4 client connections, 10 pods'],
      against: ['the idle pods are the youngest: p = 0.0081 if age did not matter'],
      settledBy: ['a look after the clients have reconnected'],
    },
  ],
  recommendation: {
    strategy: 'headless-round-robin',
    action: 'adopt',
    current: 'cluster-ip',
    rule: 10,
    text: 'headless Service and round_robin in the clients',
    first: [],
    alternative: 'l7-proxy',
    because: [
      '4 connections on 10 pods: dealing them again would use about 3.3 pods',
      'the clients are yours: same namespace, same Helm release',
      'no L7 hop stands between',
    ],
    ownership: 'owned',
    ownershipBasis: 'deployment/web is in the same namespace and Helm release',
    connectionAgeSeconds: 300,
    strategies: [
      {
        id: 'cluster-ip',
        title: 'Leave ClusterIP as it is',
        fits: [],
        against: ['a new pod gets traffic from new connections only, and there are none'],
        preconditions: [],
        prediction: {
          effectivePods: 2.7,
          effectivePodsRange: [2.7, 2.7],
          peakToMean: 5,
          newPod: 'with the next new connection',
          cost: [],
        },
      },
      {
        id: 'max-connection-age',
        title: 'ClusterIP, and the server ends each connection after a time',
        fits: ['no change in the clients'],
        against: ['4 connections are too few: it would move the hot spot once per age'],
        preconditions: [{ text: 'the server’s gRPC library has the option', status: 'unknown' }],
        prediction: {
          effectivePods: 3.3,
          effectivePodsRange: [2.3, 4],
          peakToMean: 4.4,
          newPod: 'within one connection age',
          cost: ['0.01 reconnects/s at 5 min'],
        },
      },
      {
        id: 'headless-round-robin',
        title: 'Headless Service, and round_robin in the clients',
        fits: ['each client spreads its calls over all 10 pods'],
        against: [],
        preconditions: [
          { text: 'the clients can be changed', status: 'met' },
          { text: 'the server ends connections (MaxConnectionAge), so that clients see new pods', status: 'unknown' },
        ],
        prediction: {
          effectivePods: 9.9,
          effectivePodsRange: [9.8, 10],
          peakToMean: 1.1,
          newPod: 'when a connection ends',
          cost: ['40 connections', 'a DNS query per connection that ends'],
        },
      },
      {
        id: 'l7-proxy',
        title: 'A proxy, gateway or mesh that balances each call',
        fits: ['no change in the clients'],
        against: ['a hop more for every call'],
        preconditions: [],
        prediction: {
          effectivePods: 9.9,
          effectivePodsRange: [9.8, 10],
          peakToMean: 1.1,
          newPod: 'at once',
          cost: ['a hop, proxy CPU and memory'],
        },
      },
      {
        id: 'proxyless-xds',
        title: 'gRPC speaks xDS itself',
        fits: [],
        against: ['no xDS control plane was seen'],
        preconditions: [{ text: 'an xDS control plane serves these clients', status: 'failed' }],
        prediction: {
          effectivePods: null,
          effectivePodsRange: null,
          peakToMean: null,
          newPod: 'at once',
          cost: ['a control plane'],
        },
      },
    ],
  },
  relief: [
    {
      action: 'restart the clients',
      command: 'kubectl --context prod-eu -n shop rollout restart deployment/web',
      prediction: 'about 3.3 of 10 pods',
      risk: 'calls in flight of each client pod',
    },
  ],
  avoid: [
    'scaling: new pods get nothing',
    'restarting the server pods: the connections pile up on the first ones ready',
  ],
  timeline: [{ time: '2026-11-29T15:41:08Z', text: 'scaled 3 → 10' }],
  signals: [
    { id: 'service', state: 'complete', reason: null, needs: null, settles: null, ageSeconds: 4 },
    { id: 'endpoints', state: 'complete', reason: null, needs: null, settles: null, ageSeconds: 4 },
    { id: 'usage', state: 'complete', reason: null, needs: null, settles: null, ageSeconds: 47 },
    { id: 'connections', state: 'complete', reason: null, needs: null, settles: null, ageSeconds: 0 },
    {
      id: 'probes',
      state: 'partial',
      reason: 'events only',
      needs: 'get nodes/proxy',
      settles: 'whether probes fail',
      ageSeconds: 4,
    },
    { id: 'clients', state: 'complete', reason: null, needs: null, settles: null, ageSeconds: 4 },
  ],
  warnings: [],
  execs: 20,
  execPods: 10,
  execWays: { ss: 10 },
  limits: { skewedPeakToMean: 1.5, skewedEffectiveShare: 0.8, balancedPeakToMean: 1.25, idleShare: 0.05 },
});

export const balanced: SkewReport = report('echo', {
  verdict: {
    state: 'balanced',
    basis: 'calls',
    source: 'pod-metrics',
    confidence: 'certain',
    summary: '4 pods share the calls evenly',
    settledBy: null,
  },
  impact: { level: 'none', text: 'hottest pod at 9 % of its CPU limit, no restarts' },
  headline: {
    since: null,
    why: 'each client holds one connection to every pod',
    whyConfidence: 'certain',
    now: 'nothing to do',
    fix: 'keep headless + round_robin',
    notSeen: [],
  },
  skew: {
    pods: 4,
    seenPods: 4,
    idlePods: 0,
    effectivePods: 4,
    effectivePodsRange: null,
    peakToMean: 1.03,
    gini: 0.01,
    chance: {
      method: 'not-applicable',
      probability: null,
      expectedEffectivePods: null,
      reason: 'the clients balance themselves',
    },
    ageOrder: null,
  },
  distributions: [
    {
      basis: 'calls',
      span: 'window',
      seconds: 10,
      pods: 4,
      effectivePods: 4,
      peakToMean: 1.03,
      idlePods: 0,
      events: 60,
      reading: 'even',
      source: 'pod-metrics',
    },
  ],
  pods: ['2cjkz', 'bjwg5', 'ctzzz', 'l7pkm'].map((end, at) =>
    pod(`echo-cd86db9d9-${end}`, {
      load: [0.26, 0.25, 0.25, 0.24][at] ?? null,
      expectedShare: 0.25,
      connections: 3,
      callsPerSecond: null,
      bytesPerSecond: 1180 - at * 9,
      cpuMillicores: 46 - at,
      ageSeconds: 187_300,
      readySeconds: 187_290,
    }),
  ),
  recommendation: {
    ...nothing.recommendation,
    strategy: 'headless-round-robin',
    current: 'headless-round-robin',
    rule: 1,
    because: ['the load is even'],
    ownership: 'owned',
    ownershipBasis: 'same namespace',
  },
  signals: [
    { id: 'usage', state: 'complete', reason: null, needs: null, settles: null, ageSeconds: 21 },
    { id: 'connections', state: 'complete', reason: null, needs: null, settles: null, ageSeconds: 0 },
  ],
  execs: 8,
  execPods: 4,
  execWays: { ss: 4 },
});

/** Nobody may exec here, and there is no metrics API. */
export const forbidden: SkewReport = report('checkout', {
  verdict: {
    state: 'unknown',
    basis: null,
    source: null,
    confidence: 'possible',
    summary: 'connections and CPU of 3 pods were not seen',
    settledBy: 'one ss in each pod: needs get and create pods/exec in shop (kubectl grpc-skew rbac prints the Role)',
  },
  impact: { level: 'harm', text: 'checkout-7d5b8c9f6-zq2xl was OOM-killed 3 times, last 4m ago' },
  headline: {
    since: '15:38:31, OOM-killed',
    why: 'not known: who holds the connections could not be seen',
    whyConfidence: null,
    now: 'raise the memory limit of checkout, or ask someone with exec rights to look',
    fix: 'not before the cause is known',
    notSeen: ['connections of 3 pods: exec is forbidden', 'CPU and memory: no metrics API in this cluster'],
  },
  pods: ['9prh4', 'dvdxr', 'zq2xl'].map((end, at) =>
    pod(`checkout-7d5b8c9f6-${end}`, {
      load: null,
      expectedShare: 1 / 3,
      shares: { connections: null, bytes: null, calls: null, cpu: null },
      connections: null,
      callsPerSecond: null,
      bytesPerSecond: null,
      bytesTotal: null,
      cpuMillicores: null,
      memoryBytes: null,
      ageSeconds: 950_400,
      readySeconds: at === 2 ? 214 : 950_380,
      restarts: at === 2 ? 3 : 0,
      marks: at === 2 ? ['restarted', 'oom-killed', 'not-seen', 'no-metrics'] : ['not-seen', 'no-metrics'],
      notSeen: 'exec is forbidden',
    }),
  ),
  recommendation: { ...nothing.recommendation, because: ['without the connections no strategy can be preferred'] },
  signals: [
    { id: 'endpoints', state: 'complete', reason: null, needs: null, settles: null, ageSeconds: 2 },
    {
      id: 'usage',
      state: 'unavailable',
      reason: 'metrics.k8s.io is not served',
      needs: null,
      settles: 'who is busy',
      ageSeconds: null,
    },
    {
      id: 'connections',
      state: 'forbidden',
      reason: 'pods "checkout-7d5b8c9f6-9prh4" is forbidden: cannot create resource "pods/exec"',
      needs: 'create pods/exec',
      settles: 'who holds the connections',
      ageSeconds: null,
    },
  ],
  warnings: [{ id: 'oom-victim', text: 'the pod that just died is the least loaded one now' }],
});

/** More pods than a screen has lines, a sample of them looked at. */
export const twoHundred: SkewReport = report(
  'catalog',
  {
    ...scaleUp.status,
    verdict: {
      state: 'skewed',
      basis: 'calls',
      source: 'pod-metrics',
      confidence: 'likely',
      summary: '200 pods do the work of 61: 118 are idle',
      settledBy: null,
    },
    impact: { level: 'risk', text: 'hottest pod at 91 % of its CPU limit, the mean is 17 %' },
    pods: Array.from({ length: 200 }, (_, at) => crowdPod(at)),
    skew:
      scaleUp.status.skew === null
        ? null
        : { ...scaleUp.status.skew, pods: 200, seenPods: 180, idlePods: 118, effectivePods: 61 },
    causes: scaleUp.status.causes.slice(0, 1),
    recommendation: { ...scaleUp.status.recommendation, first: ['wait for the rollout to end: 3 pods are not ready'] },
    execs: 400,
    execPods: 180,
    execWays: { ss: 180 },
  },
  {
    spec: {
      port: { name: 'grpc', port: 50051, targetPort: 50051 },
      portNote: 'the only port named grpc of 3',
      windowSeconds: 3,
    },
  },
);

function crowdPod(at: number): ReportPod {
  const name = `catalog-84c7d9b5d-${((at + 7) ** 4 * 48_271).toString(36).slice(-5).padStart(5, 'x')}`;
  const base = {
    expectedShare: 0.005,
    ageSeconds: 40_000 - at,
    node: `ip-10-0-${at % 32}-17.eu-west-1.compute.internal`,
  };
  if (at < 62) {
    const load = 0.06 / (1 + at / 6);
    return pod(name, {
      ...base,
      load,
      connections: 80 - at,
      callsPerSecond: null,
      bytesPerSecond: 4e6 * load,
      cpuMillicores: Math.round(9000 * load),
      marks: at < 4 ? ['hot'] : [],
    });
  }
  if (at < 180) return pod(name, { ...base, connections: 0, marks: ['idle'] });
  const unseen = { ...base, load: null, connections: null, bytesPerSecond: null, notSeen: 'not in the sample' };
  if (at < 197) return pod(name, { ...unseen, marks: ['not-seen'] });
  return pod(name, {
    ...unseen,
    ready: false,
    endpoint: false,
    readySeconds: null,
    cpuMillicores: null,
    marks: ['not-ready', 'not-seen', 'no-metrics'],
  });
}

/** The fault is elsewhere: one pod is unready and its clients hold on. */
export const elsewhere: SkewReport = report('echo', {
  verdict: {
    state: 'not-load-balancing',
    kind: 'fault',
    basis: 'calls',
    source: 'pod-metrics',
    confidence: 'likely',
    summary: 'the load is even, but 1 of 4 pods is not ready and still serves 25 % of the calls',
    settledBy: null,
  },
  impact: { level: 'risk', text: 'calls to a pod that says NOT_SERVING' },
  headline: {
    since: '15:20:02, readiness probe failed',
    why: 'echo-ready-74f9 fails its readiness probe (gRPC health: NOT_SERVING) and the clients keep their connections to it',
    whyConfidence: 'likely',
    now: 'find out why echo-ready-74f9 fails its health check',
    fix: 'client-side health checking (healthCheckConfig in the service config)',
    notSeen: [],
  },
  pods: [
    ...['a1b2c', 'd3e4f', 'g5h6i'].map((end) =>
      pod(`echo-5f7c-${end}`, {
        load: 0.25,
        expectedShare: 1 / 3,
        connections: 3,
        callsPerSecond: null,
        bytesPerSecond: 1100,
        cpuMillicores: 41,
        ageSeconds: 4100,
      }),
    ),
    pod('echo-ready-74f9', {
      load: 0.25,
      expectedShare: null,
      connections: 3,
      callsPerSecond: null,
      bytesPerSecond: 1100,
      cpuMillicores: 40,
      ageSeconds: 4090,
      endpoint: false,
      ready: false,
      readySeconds: null,
      restarts: 2,
      marks: ['not-ready', 'restarted'],
    }),
  ],
  causes: [
    {
      id: 'pods-not-ready',
      title: 'A pod is not ready and still connected',
      confidence: 'likely',
      text: 'echo-ready-74f9 is not ready and serves 25 % of the calls',
      evidence: ['Ready is false since 15:20:02', '3 connections live and carry bytes'],
      against: [],
      settledBy: ['grpc_health_probe in the pod'],
    },
  ],
  recommendation: {
    ...nothing.recommendation,
    strategy: 'headless-round-robin',
    current: 'headless-round-robin',
    rule: 2,
    first: ['repair the health check of echo-ready-74f9'],
    because: ['the load is even: no other strategy would help'],
  },
  execs: 8,
  execPods: 4,
  execWays: { ss: 4 },
});

/** A Service without endpoints. */
export const empty: SkewReport = report(
  'ghost',
  {
    verdict: {
      state: 'no-traffic',
      basis: null,
      source: null,
      confidence: 'certain',
      summary: 'the Service has no endpoints',
      settledBy: null,
    },
    impact: { level: 'harm', text: 'every call fails' },
    headline: {
      since: null,
      why: 'the selector app=ghost matches no pod',
      whyConfidence: 'certain',
      now: 'compare the selector with the labels of the pods',
      fix: '',
      notSeen: [],
    },
  },
  {
    metadata: {
      name: 'ghost',
      namespace: 'default',
      context: null,
      generatedAt: '2026-11-29T15:42:55Z',
      toolVersion: '0.1.0',
    },
    spec: { port: null, portNote: null, windowSeconds: null },
  },
);

/** Names as long as Kubernetes allows; the pods differ only in the middle or at the end. */
export const longNames: SkewReport = report(
  `s${'-long'.repeat(12)}ed`,
  {
    ...scaleUp.status,
    pods: scaleUp.status.pods.map((one, at) => ({
      ...one,
      name: `${'payments-'.repeat(13)}${at}${'-ledger'.repeat(19)}`.slice(0, 253),
    })),
    relief: scaleUp.status.relief.map((one) => ({
      ...one,
      command: `kubectl --context ${longContext()} -n shop rollout restart deployment/${'w'.repeat(253)}`,
    })),
  },
  {
    metadata: {
      ...scaleUp.metadata,
      name: `s${'-long'.repeat(12)}ed`,
      namespace: 'n'.repeat(63),
      context: longContext(),
    },
  },
);

function longContext(): string {
  return 'arn:aws:eks:eu-west-1:123456789012:cluster/production-europe-west';
}

/** Each text tries to break out. */
export const hostile: SkewReport = hostileCopy(scaleUp);

function hostileCopy(of: SkewReport): SkewReport {
  const bad = '\u001b[2J\u001b]0;owned\u0007\r\n\u202eevil\u2066\u200b\u009b31m\u007f\ud800 漢字 e\u0301';
  return {
    ...of,
    metadata: { ...of.metadata, context: `prod${bad}`, namespace: `shop${bad}` },
    status: {
      ...of.status,
      headline: { ...of.status.headline, why: `because${bad}`, notSeen: [bad, bad] },
      verdict: { ...of.status.verdict, summary: bad },
      pods: of.status.pods.map((one) => ({ ...one, name: one.name + bad, node: bad, zone: bad })),
      clients: of.status.clients.map((one) => ({ ...one, workload: bad, team: bad })),
      causes: of.status.causes.map((one) => ({ ...one, title: bad, evidence: [bad] })),
      relief: of.status.relief.map((one) => ({ ...one, command: `kubectl delete ${bad}` })),
      limits: { [bad]: 1 },
    },
  };
}

/** The same Service after round_robin, against what it was. */
export const compared: SkewReport = {
  ...balanced,
  status: {
    ...balanced.status,
    comparison: {
      result: 'improved',
      basis: 'calls',
      text: 'by calls: 4 of 4 pods used, before 1.6 of 4',
      before: {
        generatedAt: '2026-11-29T15:02:11Z',
        state: 'skewed',
        pods: 4,
        effectivePods: 1.6,
        effectivePodsRange: [1.5, 1.7],
        hottestPod: 'echo-cd86db9d9-ctzzz',
        hottestShare: 0.75,
      },
      after: {
        generatedAt: '2026-11-29T15:42:55Z',
        state: 'balanced',
        pods: 4,
        effectivePods: 3.99,
        effectivePodsRange: [3.9, 4],
        hottestPod: 'echo-cd86db9d9-2cjkz',
        hottestShare: 0.26,
      },
      hotPodMoved: false,
      leftOut: [],
      notes: ['the baseline was seen by the context staging, this run by prod-eu: it must be the same cluster'],
      settledBy: null,
    },
  },
};

export const reports = {
  scaleUp,
  balanced,
  compared,
  forbidden,
  twoHundred,
  elsewhere,
  empty,
  longNames,
  hostile,
} as const;
