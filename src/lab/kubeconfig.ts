import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

export interface KubeconfigContent {
  readonly server: string;
  readonly certificatePem: string;
  readonly namespace: string;
  readonly adminToken: string;
  readonly viewerToken: string;
  readonly currentContext: string;
}

export const adminContext = 'grpc-skew-lab';
export const viewerContext = 'grpc-skew-lab-viewer';

/** Writes a kubeconfig into a private folder of its own; `remove` takes both away again. */
export async function writeKubeconfig(content: KubeconfigContent): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'grpc-skew-lab-'));
  await chmod(folder, 0o700);
  const path = join(folder, 'kubeconfig');
  await writeFile(path, kubeconfigText(content), { flag: 'wx', mode: 0o600 });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

function kubeconfigText(content: KubeconfigContent): string {
  const cluster = 'grpc-skew-lab';
  const context = (name: string) => ({ name, context: { cluster, user: name, namespace: content.namespace } });
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: cluster,
        cluster: {
          server: content.server,
          'certificate-authority-data': Buffer.from(content.certificatePem).toString('base64'),
        },
      },
    ],
    users: [
      { name: adminContext, user: { token: content.adminToken } },
      { name: viewerContext, user: { token: content.viewerToken } },
    ],
    contexts: [context(adminContext), context(viewerContext)],
    'current-context': content.currentContext,
  });
}
