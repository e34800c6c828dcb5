import { parseRequestTimeout } from '../kube/requests/request-timeout.ts';
import type { Flag } from './flag.ts';

/** kubectl's own flags for where the cluster is and who asks. */
export const connection: readonly Flag[] = [
  { name: 'namespace', short: 'n', kind: 'text', value: 'NAME', help: 'Namespace of the Service', group: 'connection' },
  { name: 'context', kind: 'text', value: 'NAME', help: 'Context of the kubeconfig', group: 'connection' },
  { name: 'kubeconfig', kind: 'text', value: 'FILE', help: 'Path to the kubeconfig', group: 'connection' },
  { name: 'cluster', kind: 'text', value: 'NAME', help: 'Cluster of the kubeconfig', group: 'connection' },
  { name: 'user', kind: 'text', value: 'NAME', help: 'User of the kubeconfig', group: 'connection' },
  {
    name: 'server',
    short: 's',
    kind: 'text',
    value: 'URL',
    help: 'Address and port of the API server',
    group: 'connection',
  },
  {
    name: 'tls-server-name',
    kind: 'text',
    value: 'NAME',
    help: 'Name to check the certificate of the server against',
    group: 'connection',
  },
  {
    name: 'insecure-skip-tls-verify',
    kind: 'switch',
    help: 'Do not check the certificate of the server',
    group: 'connection',
  },
  {
    name: 'certificate-authority',
    kind: 'text',
    value: 'FILE',
    help: 'Certificate of the authority',
    group: 'connection',
  },
  { name: 'client-certificate', kind: 'text', value: 'FILE', help: 'Client certificate', group: 'connection' },
  { name: 'client-key', kind: 'text', value: 'FILE', help: 'Client key', group: 'connection' },
  { name: 'token', kind: 'text', value: 'TOKEN', help: 'Bearer token', group: 'connection' },
  { name: 'as', kind: 'text', value: 'USER', help: 'Impersonate this user', group: 'connection' },
  {
    name: 'as-group',
    kind: 'list',
    value: 'GROUP',
    help: 'Impersonate this group; may be repeated',
    group: 'connection',
  },
  { name: 'as-uid', kind: 'text', value: 'UID', help: 'Impersonate this UID', group: 'connection' },
  {
    name: 'as-user-extra',
    kind: 'list',
    value: 'KEY=VALUE',
    help: 'Impersonate this extra attribute; may be repeated',
    group: 'connection',
  },
  {
    name: 'request-timeout',
    kind: 'text',
    value: 'DURATION',
    help: 'Time for one request: seconds, or 1m30s; 0 sets none',
    group: 'connection',
    number: {
      takes: 'a number of seconds or a duration',
      hint: 'write --request-timeout 30s',
      read: parseRequestTimeout,
    },
  },
  { name: 'disable-compression', kind: 'switch', help: 'Ask for uncompressed answers', group: 'connection' },
];
