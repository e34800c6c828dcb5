import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { openRecorded } from '../../src/kube/recorded.ts';
import type { KubeClient } from '../../src/kube/types.ts';
import { renderJson } from '../../src/render/json.ts';
import { gather } from './fake-cluster.ts';

/** Stands in every text that is not read by design. */
const secret = 's3cr3t-marker';

const names =
  'app|k8s-app|team|owner|app\\.kubernetes\\.io/[a-z-]+|helm\\.sh/chart|pod-template-hash|controller-revision-hash';
const container = 'spec\\.(containers|initContainers)';

/** Paths of texts that are read: what the causes decide from. All others are marked. */
const read: readonly RegExp[] = [
  /^kind$/,
  /^metadata\.(name|namespace|uid|creationTimestamp|deletionTimestamp)$/,
  // Of who set one of the fields that are read.
  /^metadata\.managedFields\.(manager|time)$/,
  new RegExp(`^metadata\\.labels\\.(${names})$`),
  // Only which word of a list it is.
  /^metadata\.labels\.endpointslice\.kubernetes\.io\/managed-by$/,
  /^metadata\.labels\.(topology\.kubernetes\.io\/zone|node\.kubernetes\.io\/instance-type)$/,
  /^metadata\.annotations\.(service\.kubernetes\.io\/topology-(mode|aware-hints)|prometheus\.io\/\w+)$/,
  /^metadata\.ownerReferences\.(kind|name)$/,
  // Service
  /^spec\.(type|clusterIP|clusterIPs|sessionAffinity|(in|ex)ternalTrafficPolicy|trafficDistribution)$/,
  /^spec\.selector\./,
  /^spec\.ports\.(name|protocol|appProtocol|targetPort)$/,
  // EndpointSlices
  /^(addressType|ports\.(name|protocol|appProtocol))$/,
  /^endpoints\.(addresses|nodeName|zone|targetRef\.(kind|name|namespace|uid)|hints\.for(Zones|Nodes)\.name)$/,
  // Pods
  /^spec\.nodeName$/,
  new RegExp(`^${container}\\.(name|image|restartPolicy|ports\\.(name|protocol)|resources\\.\\w+\\.(cpu|memory))$`),
  new RegExp(`^${container}\\.\\w+Probe\\.(grpc\\.service|\\w+\\.port)$`),
  /^status\.(phase|podIP|podIPs\.ip|hostIP|startTime)$/,
  /^status\.conditions\.(type|status|lastTransitionTime)$/,
  /^status\.(c|initC)ontainerStatuses\.(name|state\.running\.startedAt|state\.waiting\.reason)$/,
  /^status\.(c|initC)ontainerStatuses\.lastState\.terminated\.(reason|finishedAt)$/,
  // Nodes
  /^(spec\.podCIDRs|status\.addresses\.(type|address))$/,
  // Events: of the message only what kind of failure it is, or the numbers of a scaling
  /^(reason|involvedObject\.(kind|name|uid|fieldPath)|(first|last)Timestamp|eventTime|series\.lastObservedTime)$/,
  // Autoscalers
  /^(spec\.scaleTargetRef\.(kind|name)|status\.lastScaleTime)$/,
  /^spec\.metrics\.(type|resource\.(name|target\.averageValue))$/,
  /^status\.currentMetrics\.resource\.name$/,
  // Usage
  /^(timestamp|window|containers\.(name|usage\.(cpu|memory)))$/,
];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function mark(value: Json, path = ''): Json {
  if (typeof value === 'string') {
    if (path === 'message') return `${value} ${secret}`;
    return read.some((pattern) => pattern.test(path)) ? value : secret;
  }
  if (Array.isArray(value)) return value.map((entry) => mark(entry, path));
  if (typeof value !== 'object' || value === null) return value;
  const marked = Object.entries(value).map(([key, entry]) => [key, mark(entry, path === '' ? key : `${path}.${key}`)]);
  return withSecrets(Object.fromEntries(marked), path);
}

/** What real objects hold beside what is read, put in where the recordings have it trimmed away. */
function withSecrets(value: { [key: string]: Json }, path: string): Json {
  if (path === 'metadata') {
    const known = Array.isArray(value['managedFields']) ? value['managedFields'] : [];
    const other = { manager: secret, time: secret, fieldsV1: { 'f:spec': { [`f:${secret}`]: {} } } };
    return { ...value, managedFields: [...known, other], selfLink: secret };
  }
  if (path === 'metadata.labels' || path === 'metadata.annotations') return { ...value, 'example.com/note': secret };
  if (path === 'status') return { ...value, message: secret, reason: secret };
  if (path === 'status.conditions') return { ...value, message: secret, reason: secret };
  if (/^spec\.(containers|initContainers)$/.test(path)) {
    const env = [{ name: secret, value: secret, valueFrom: { secretKeyRef: { name: secret, key: secret } } }];
    const lifecycle = { postStart: { exec: { command: [secret] } } };
    return { ...value, env, args: [secret], command: [secret], workingDir: secret, lifecycle };
  }
  if (/Probe$/.test(path)) return { ...value, exec: { command: ['grpc_health_probe', `-rpc-header=${secret}`] } };
  if (/(state\.waiting|lastState\.terminated)$/.test(path)) return { ...value, message: secret, containerID: secret };
  return value;
}

/** The recording as it would be answered by a cluster full of secrets. */
function marking(kube: KubeClient): KubeClient {
  return {
    ...kube,
    async getJson(path, options) {
      const answer = await kube.getJson(path, options);
      return answer.ok ? { ...answer, value: mark(answer.value as Json) } : answer;
    },
    async list(path, options) {
      const answer = await kube.list(path, options);
      if (!answer.ok) return answer;
      return { ...answer, value: { ...answer.value, items: answer.value.items.map((item) => mark(item as Json)) } };
    },
  };
}

async function openScenario(scenario: string): Promise<KubeClient> {
  const recorded = await openRecorded(new URL(`../recordings/${scenario}`, import.meta.url).pathname);
  if (!recorded.ok) throw new Error(recorded.error.message);
  return recorded.value;
}

async function evidenceOf(kube: KubeClient): Promise<SkewEvidence> {
  return (await gather({ ...kube }, { windowSeconds: 3 }, kube.namespace)).evidence;
}

describe.each(['skew-scaleup', 'probe-broken', 'zone-hints', 'sidecar-redirect', 'hpa-blind', 'two-services'])(
  'the evidence of %s',
  (scenario) => {
    it('holds nothing but what is read by design', async () => {
      const kube = await openScenario(scenario);
      const evidence = await evidenceOf(marking(kube));
      expect(evidence.pods?.length).toBeGreaterThan(1);
      expect(JSON.stringify(evidence)).not.toContain(secret);
      const diagnosis = diagnose(evidence);
      if (!diagnosis.ok) throw new Error(diagnosis.error.message);
      expect(JSON.stringify(diagnosis.value)).not.toContain(secret);
      expect(renderJson(diagnosis.value)).not.toContain(secret);
    });

    it('loses nothing for the secrets around it', async () => {
      const plain = await evidenceOf(await openScenario(scenario));
      const marked = await evidenceOf(marking(await openScenario(scenario)));
      expect(withoutProbes(marked)).toEqual(withoutProbes(plain));
    });
  },
);

/** The marked probes are all exec probes: there the secret is put in. */
function withoutProbes(evidence: SkewEvidence): SkewEvidence {
  const pods = evidence.pods?.map((pod) => ({
    ...pod,
    containers: pod.containers.map((entry) => ({ ...entry, probes: [] })),
  }));
  return { ...evidence, pods: pods ?? null };
}

it('marks what it should: the objects themselves are full of the secret', async () => {
  const answer = await marking(await openScenario('probe-broken')).list('/api/v1/namespaces/probe-broken/pods', {
    request: 'list pods',
  });
  if (!answer.ok) throw new Error(answer.error.message);
  for (const part of ['"env":[{"name":"', '"args":["', '"command":["', '"example.com/note":"', '"message":"'])
    expect(JSON.stringify(answer.value.items)).toContain(`${part}${secret}`);
});
