import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeBundle } from '../../scripts/bundle.ts';
import { startCluster } from '../cli/cluster.ts';
import { type OnTestFinished, programPath, runProgram, temporaryFolder } from '../cli/program.ts';
import { openTerminal } from '../tui/terminal.ts';

/** Writes the name of each file that Node.js loads. */
const spy = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); } });
`;

function spying(onTestFinished: OnTestFinished) {
  const folder = temporaryFolder(onTestFinished);
  mkdirSync(join(folder, 'home'));
  const loaded = join(folder, 'loaded');
  writeFileSync(loaded, '');
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(spy)}`, LOADED: loaded };
  return { folder, env, loaded: () => what(readFileSync(loaded, 'utf8')) };
}

let chunks: Awaited<ReturnType<typeof describeBundle>>['outputs'];
beforeAll(async () => {
  chunks = (await describeBundle()).outputs;
}, 60_000);

/** What the files of dist/ that were loaded hold: packages, folders of src, kilobytes. */
function what(text: string) {
  const files = [...new Set([...text.matchAll(/\/dist\/([^/\n]+\.mjs)$/gm)].map((match) => match[1] ?? ''))];
  const inputs = files.flatMap((file) => {
    const chunk = Object.entries(chunks).find(([path]) => basename(path) === file)?.[1];
    if (chunk === undefined) throw new Error(`${file} is no chunk of the sources: the build is not theirs`);
    // Of a package that is left out as unused, some empty modules may stay.
    return Object.entries(chunk.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  });
  const named = (pattern: RegExp) => [...new Set(inputs.flatMap((input) => pattern.exec(input)?.[1] ?? []))].sort();
  const bytes = files.reduce((sum, file) => sum + statSync(join(programPath, '..', file)).size, 0);
  return {
    packages: named(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/),
    folders: named(/^src\/([^/]+)\//),
    kilobytes: Math.round(bytes / 1000),
  };
}

/** The terminal UI, and what belongs to the lab or to clusters with OpenID Connect alone. */
const ofTheScreen = ['ink', 'react', 'react-reconciler', 'yoga-layout'];
const ofTheLab = ['@grpc/grpc-js', 'protobufjs'];
const checksOfFiles = ['typebox'];

/**
 * Start-up time is what is loaded, parsed and run. The limits in kilobytes leave about a quarter of room over what there
 * is; whoever needs more says here why each start should pay for it.
 */
describe('a command loads what it needs', () => {
  test.each([[['version']], [['--help']], [['completion', 'bash']], [['--nope']]])(
    '%j: no package at all',
    async (args) => {
      const cleanups: (() => void | Promise<void>)[] = [];
      const spied = spying((clean) => cleanups.push(clean));
      await runProgram(args, { env: spied.env });
      const { packages, folders, kilobytes } = spied.loaded();
      for (const clean of cleanups) await clean();
      expect(packages).toEqual([]);
      expect(folders).not.toContain('kube');
      expect(kilobytes).toBeLessThan(45);
    },
  );

  test('-o json: neither screen nor lab nor schemas', async ({ onTestFinished }) => {
    const spied = spying(onTestFinished);
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '-o', 'json', '--window', '0'], { env: spied.env });
    expect(run.code).toBe(0);
    const { packages, folders, kilobytes } = spied.loaded();
    expect(packages).toContain('undici');
    for (const name of [...ofTheScreen, ...ofTheLab, ...checksOfFiles]) expect(packages).not.toContain(name);
    for (const folder of ['tui', 'watch', 'lab']) expect(folders).not.toContain(folder);
    expect(kilobytes).toBeLessThan(2500);
  });

  test('without exec no WebSocket and no client-node', async ({ onTestFinished }) => {
    const spied = spying(onTestFinished);
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '-o', 'json', '--no-exec'], { env: spied.env });
    expect(run.code).toBe(0);
    for (const name of ['@kubernetes/client-node', 'ws', 'js-yaml'])
      expect(spied.loaded().packages).not.toContain(name);
  });

  test('the first frame waits for neither requests nor exec', async ({ onTestFinished }) => {
    const spied = spying(onTestFinished);
    const cluster = await startCluster(onTestFinished);
    // Nothing is answered: what is loaded then is what the first frame and the first request need.
    cluster.on(/./, () => {});
    const terminal = openTerminal(process.execPath, [programPath, 'echo'], {
      env: { ...spied.env, KUBECONFIG: cluster.kubeconfigPath, HOME: spied.folder },
    });
    await terminal.until(/svc\/echo[\s\S]*autoscaling/);
    const { packages, kilobytes } = spied.loaded();
    terminal.kill('SIGKILL');
    await terminal.exited;
    expect(packages).toEqual(expect.arrayContaining(ofTheScreen));
    for (const name of ['@kubernetes/client-node', 'ws', ...ofTheLab, ...checksOfFiles])
      expect(packages).not.toContain(name);
    expect(kilobytes).toBeLessThan(2300);
  });

  test('a name from the cluster for the shell: no diagnosis', async ({ onTestFinished }) => {
    const spied = spying(onTestFinished);
    const cluster = await startCluster(onTestFinished);
    await cluster.run(['__complete', ''], { env: spied.env });
    const { folders } = spied.loaded();
    for (const folder of ['causes', 'collect', 'signals', 'lab']) expect(folders).not.toContain(folder);
  });
});
