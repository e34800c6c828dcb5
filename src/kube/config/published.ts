import { asArray, asObject } from '../errors/unknown-json.ts';
import { type FieldShape, misshapen } from './shape.ts';

const extensions: FieldShape = { list: { fields: { name: 'text', extension: 'any' } } };

/** The published form of a kubeconfig (client-go tools/clientcmd/api/v1/types.go). */
const kubeconfig: FieldShape = {
  fields: {
    kind: 'text',
    apiVersion: 'text',
    preferences: { fields: { colors: 'boolean', extensions } },
    clusters: named('cluster', {
      server: 'text',
      'tls-server-name': 'text',
      'insecure-skip-tls-verify': 'boolean',
      'certificate-authority': 'text',
      'certificate-authority-data': 'base64',
      'proxy-url': 'text',
      'disable-compression': 'boolean',
      extensions,
    }),
    users: named('user', {
      'client-certificate': 'text',
      'client-certificate-data': 'base64',
      'client-key': 'text',
      'client-key-data': 'base64',
      token: 'text',
      tokenFile: 'text',
      as: 'text',
      'as-uid': 'text',
      'as-groups': { list: 'text' },
      'as-user-extra': { map: { list: 'text' } },
      username: 'text',
      password: 'text',
      'auth-provider': { fields: { name: 'text', config: { map: 'text' } } },
      exec: {
        fields: {
          command: 'text',
          args: { list: 'text' },
          env: { list: { fields: { name: 'text', value: 'text' } } },
          apiVersion: 'text',
          installHint: 'text',
          provideClusterInfo: 'boolean',
          interactiveMode: 'text',
        },
      },
      extensions,
    }),
    contexts: named('context', { cluster: 'text', user: 'text', namespace: 'text', extensions }),
    'current-context': 'text',
    extensions,
  },
};

function named(key: string, fields: Readonly<Record<string, FieldShape>>): FieldShape {
  return { list: { fields: { name: 'text', [key]: { fields } } } };
}

/**
 * Why kubectl would not load this document, wherever the fault stands; undefined: it would. A half-read file might lead
 * to another cluster than kubectl goes to. Never quotes a value but a name.
 */
export function kubeconfigFault(document: unknown): string | undefined {
  const fault = misshapen(document, kubeconfig);
  const object = asObject(document);
  if (fault !== undefined || object === undefined) return fault;
  const { kind, apiVersion } = object;
  if ((kind && kind !== 'Config') || (apiVersion && apiVersion !== 'v1')) return 'it is no Config of version v1';
  for (const key of ['clusters', 'users', 'contexts']) {
    const seen = new Set<unknown>();
    for (const item of asArray(object[key])) {
      const name = asObject(item)?.['name'] ?? '';
      if (seen.has(name)) return `${key} holds two entries named "${name}"`;
      seen.add(name);
    }
  }
  return undefined;
}
