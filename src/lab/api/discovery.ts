import { kubernetesVersion } from '../objects/node.ts';
import { type Answer, json, pageNotFound } from './answer.ts';
import { apiVersion, type Resource } from './resource.ts';

/** What the server says of itself: `/version`, `/api`, `/apis` and below. Null for any other path. */
export function discovery(path: string, resources: readonly Resource[], serverAddress: string): Answer | null {
  if (path === '/version') return json(version);
  if (path === '/api') return json(coreVersions(serverAddress));
  if (path === '/apis') return json({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups(resources) });
  const [root, first, second, ...rest] = path.split('/').filter((part) => part !== '');
  if (rest.length > 0) return null;
  if (root === 'api' && first !== undefined && second === undefined) return resourceList('', first, resources);
  if (root !== 'apis' || first === undefined) return null;
  if (second !== undefined) return resourceList(first, second, resources);
  const group = groups(resources).find(({ name }) => name === first);
  return group ? json({ kind: 'APIGroup', apiVersion: 'v1', ...group }) : pageNotFound();
}

const version = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: kubernetesVersion,
  gitCommit: 'grpc-skew-lab',
  gitTreeState: 'clean',
  buildDate: '2026-08-21T00:00:00Z',
  goVersion: 'go1.26.10',
  compiler: 'gc',
  platform: 'linux/amd64',
};

function coreVersions(serverAddress: string) {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

function groups(resources: readonly Resource[]) {
  const names = new Set(resources.map(({ group }) => group).filter((group) => group !== ''));
  return [...names].map((name) => {
    const version = resources.find(({ group }) => group === name)?.version ?? 'v1';
    const one = { groupVersion: `${name}/${version}`, version };
    return { name, versions: [one], preferredVersion: one };
  });
}

const subresources: Readonly<Record<string, readonly (readonly [string, string, readonly string[]])[]>> = {
  pods: [
    ['pods/exec', 'PodExecOptions', ['create', 'get']],
    ['pods/proxy', 'PodProxyOptions', ['get']],
  ],
  nodes: [['nodes/proxy', 'NodeProxyOptions', ['get']]],
};

function resourceList(group: string, version: string, resources: readonly Resource[]): Answer {
  const served = resources.filter((one) => one.group === group && one.version === version);
  if (served.length === 0) return pageNotFound();
  return json({
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersion({ group, version }),
    resources: served.flatMap((one) => [
      {
        name: one.name,
        singularName: one.singular,
        namespaced: one.namespaced,
        kind: one.kind,
        verbs: one.verbs,
        ...(one.shortNames ? { shortNames: one.shortNames } : {}),
      },
      ...(group === '' ? (subresources[one.name] ?? []) : []).map(([name, kind, verbs]) => ({
        name,
        singularName: '',
        namespaced: one.namespaced,
        kind,
        verbs,
      })),
    ]),
  });
}
