import type { KubeClient, KubeList, KubeResult } from '../kube/types.ts';
import { err, ok, type Problem, type Result } from '../result/result.ts';
import { at, textAt, textMapAt } from '../signals/read/json.ts';
import { selects } from '../signals/read/labels.ts';
import { askServices } from '../signals/siblings/ask.ts';
import { explainMissing, problemOf } from './problem.ts';

/** Something with pods that a Service may stand in front of. */
export interface SubjectWorkload {
  readonly kind: 'deployment' | 'statefulset' | 'daemonset' | 'pod';
  readonly name: string;
}

export interface Resolved {
  readonly service: string;
  /** The Services of the namespace, as they were listed: nobody need ask again. */
  readonly services: KubeResult<KubeList>;
}

/** The Service whose selector matches the pods of a workload, where there is just one. */
export async function resolveService(
  kube: KubeClient,
  namespace: string,
  workload: SubjectWorkload,
  signal?: AbortSignal,
): Promise<Result<Resolved>> {
  const { kind, name } = workload;
  const inNamespace = `namespaces/${encodeURIComponent(namespace)}`;
  const options = { ...(signal && { signal }) };
  const listed = askServices(kube, namespace, signal);
  const api = kind === 'pod' ? '/api/v1' : '/apis/apps/v1';
  const found = await kube.getJson(`${api}/${inNamespace}/${kind}s/${encodeURIComponent(name)}`, {
    request: `get ${kind} ${namespace}/${name}`,
    ...options,
  });
  const services = await listed;
  if (!found.ok) return err(await explainMissing(kube, namespace, { api, kind, name }, found.error));
  if (!services.ok) return err(problemOf(services.error));
  const template = kind === 'pod' ? found.value : at(found.value, 'spec', 'template');
  const labels = textMapAt(template, 'metadata', 'labels');
  const names = services.value.items
    .filter((service) => textAt(service, 'spec', 'type') !== 'ExternalName')
    // Without a selector a Service has endpoints that somebody else keeps.
    .filter((service) => selects(textMapAt(service, 'spec', 'selector'), labels))
    .flatMap((service) => textAt(service, 'metadata', 'name') ?? [])
    .sort();
  const [only] = names;
  if (only !== undefined && names.length === 1) return ok({ service: only, services });
  return err(explainChoice(namespace, workload, names));
}

function explainChoice(namespace: string, { kind, name }: SubjectWorkload, services: readonly string[]): Problem {
  if (services.length === 0) {
    return {
      kind: 'failed',
      message: `no service in namespace ${namespace} selects the pods of ${kind} ${name}`,
      hint: 'compare its labels with the selectors of the Services, or name one: svc/NAME',
      names: [name],
    };
  }
  return {
    kind: 'usage',
    message: `${services.length} services select the pods of ${kind} ${name}`,
    hint: `choose one: ${services.map((service) => `svc/${service}`).join(', ')}`,
    names: [name, ...services],
  };
}
