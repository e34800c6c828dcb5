import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import type { openKube } from '../../src/kube/open.ts';
import { json, startServer } from './api-server.ts';
import { execRecording, replay } from './exec-server.ts';
import { kubeconfig, temporary, testHost } from './open-client.ts';

test('the bundled program can load what it loads late', async () => {
  const directory = temporary();
  const built = await build({
    entryPoints: { open: 'src/kube/open.ts' },
    outdir: directory.path,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    metafile: true,
    banner: { js: 'import{createRequire as r}from"node:module";const require=r(import.meta.url);' },
  });
  const entry = `${directory.path}/open.mjs`;
  const module = (await import(pathToFileURL(entry).href)) as { openKube: typeof openKube };
  const server = await startServer((_request, response) => json(response, { metadata: {}, items: [1] }));
  server.upgrade = replay(execRecording('success-v5'));
  const path = directory.write('config', kubeconfig(server.url));
  const opened = await module.openKube({ kubeconfig: path }, testHost());
  if (!opened.ok) throw new Error(opened.error.message);
  const list = await opened.value.list('/api/v1/pods', { request: 'list pods' });
  const target = { namespace: 'shop', pod: 'echo-1', container: 'server', command: ['ss'] };
  const exec = await opened.value.exec(target);
  await opened.value.close();
  await server.close();
  directory.remove();
  expect(list).toMatchObject({ ok: true, value: { items: [1] } });
  expect(exec).toMatchObject({ ok: true, value: { end: { kind: 'exit', code: 0 } } });
  // What every start pays for: neither undici nor ws nor client-node.
  const output = Object.entries(built.metafile.outputs).find(([name]) => name.endsWith('/open.mjs'))?.[1];
  const atStart = [...Object.keys(output?.inputs ?? {}), ...staticInputs(built.metafile.outputs, output)];
  expect(atStart.filter((name) => name.includes('node_modules'))).toEqual([]);
});

interface Output {
  readonly inputs: Record<string, unknown>;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** The inputs of all chunks that are loaded with an output, not later. */
function staticInputs(outputs: Record<string, Output>, output: Output | undefined): string[] {
  const chunks = (output?.imports ?? [])
    .filter((one) => one.kind === 'import-statement')
    .map((one) => outputs[one.path]);
  return chunks.flatMap((chunk) => [...Object.keys(chunk?.inputs ?? {}), ...staticInputs(outputs, chunk)]);
}
