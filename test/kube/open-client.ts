import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKube } from '../../src/kube/open.ts';
import type { ConnectionFlags, KubeClient, KubeError, KubeHost } from '../../src/kube/types.ts';
import { fixture } from './api-server.ts';

export interface TestHost extends KubeHost {
  readonly lines: string[];
}

export function testHost(changes: Partial<KubeHost> = {}): TestHost {
  const lines: string[] = [];
  return {
    env: { PATH: process.env['PATH'] },
    homeDirectory: '/nowhere',
    platform: 'linux',
    stdinIsTerminal: false,
    userAgent: 'kubectl-grpc_skew/test',
    computeLong: async (work) => work(),
    log: (_level, line) => void lines.push(line),
    lines,
    ...changes,
  };
}

/** A directory that goes away with `remove`. */
export function temporary(): { readonly path: string; write(name: string, text: string): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'kube-test-'));
  return {
    path,
    write(name, text) {
      writeFileSync(join(path, name), text);
      return join(path, name);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A kubeconfig as JSON, which is YAML, for one server. */
export function kubeconfig(server: string, user: object = {}, cluster: object = {}): string {
  return JSON.stringify({
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'tester', namespace: 'shop' } }],
    clusters: [
      { name: 'test', cluster: { server, 'certificate-authority-data': base64(fixture('ca.pem')), ...cluster } },
    ],
    users: [{ name: 'tester', user }],
  });
}

export interface Setup {
  readonly user?: object;
  readonly cluster?: object;
  readonly flags?: ConnectionFlags;
  readonly host?: KubeHost;
}

/** A client for a test server; `certificate-authority-data` is there unless `cluster` says otherwise. */
export async function openClient(server: string, setup: Setup = {}): Promise<KubeClient> {
  const directory = temporary();
  const path = directory.write('config', kubeconfig(server, setup.user, setup.cluster));
  const opened = await openKube({ kubeconfig: path, ...setup.flags }, setup.host ?? testHost());
  directory.remove();
  if (!opened.ok) throw new Error(`${opened.error.kind}: ${opened.error.message}`);
  return opened.value;
}

/** The error of a result that must be one. */
export function errorOf(result: { ok: true } | { ok: false; error: KubeError }): KubeError {
  if (result.ok) throw new Error('expected a failure');
  return result.error;
}
