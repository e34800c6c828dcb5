import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type onTestFinished as OnTestFinished, test } from 'vitest';
import { clientCode, xdsCode } from '../../src/fix/client-code.ts';
import { serverCode } from '../../src/fix/server-code.ts';
import { serviceConfig } from '../../src/fix/service-config.ts';
import { type Feature, features, supportOf } from '../../src/fix/support.ts';
import { languages } from '../../src/report/ids.ts';

const wish = {
  target: 'dns:///echo-headless.shop.svc.cluster.local:50051',
  roundRobin: true,
  health: true,
  ageSeconds: 300,
};
const plain = { ...wish, target: 'echo.shop.svc.cluster.local:50051', roundRobin: false, health: false };

/** Every snippet that can be printed. */
const snippets: readonly (readonly [language: string, name: string, text: string])[] = [
  ...Object.entries(serverCode).map(
    ([language, code]) => [language, 'server', code({ ageSeconds: 300, graceSeconds: 30 })] as const,
  ),
  ...Object.entries(clientCode).flatMap(([language, code]) => [
    [language, 'balancing client', code(wish)] as const,
    [language, 'retrying client', code(plain)] as const,
  ]),
  ...Object.entries(xdsCode).map(
    ([language, code]) => [language, 'xDS client', code('xds:///echo.shop.svc.cluster.local:50051')] as const,
  ),
];

test('a snippet exists for what the table says exists, and for nothing else', () => {
  const tables: readonly (readonly [Feature, object])[] = [
    ['connection-age', serverCode],
    ['round-robin', clientCode],
    ['xds', xdsCode],
  ];
  for (const [feature, table] of tables) {
    const supported = languages.filter((language) => supportOf(language, feature).has);
    expect(Object.keys(table).sort(), feature).toEqual([...supported].sort());
  }
  // @ts-expect-error Kestrel has no connection age: a snippet for it does not compile
  void serverCode.csharp;
});

test('every language says of every feature what it is called, or what to do instead', () => {
  for (const language of languages) {
    for (const feature of features) {
      const entry = supportOf(language, feature);
      expect((entry.has ? entry.name : entry.instead).length, `${language} ${feature}`).toBeGreaterThan(10);
    }
  }
});

test('the service config is what gRPC reads', () => {
  expect(serviceConfig(wish)).toEqual({
    loadBalancingConfig: [{ round_robin: {} }],
    healthCheckConfig: { serviceName: '' },
    methodConfig: [
      {
        name: [{}],
        retryPolicy: {
          maxAttempts: 4,
          initialBackoff: '0.1s',
          maxBackoff: '1s',
          backoffMultiplier: 2,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
  });
  // grpc-js does no health checks: what it would not read is not printed
  expect(clientCode.node(wish)).not.toMatch(/health/i);
  expect(clientCode.csharp(wish)).not.toMatch(/health/i);
});

const grammars: Readonly<Record<string, string>> = {
  go: 'go',
  java: 'java',
  python: 'python',
  node: 'javascript',
  csharp: 'c-sharp',
  cpp: 'cpp',
  rust: 'rust',
};
const require = createRequire(import.meta.url);
const { Language, Parser }: typeof import('@vscode/tree-sitter-wasm') = require('@vscode/tree-sitter-wasm');
const wasm = fileURLToPath(new URL('../../node_modules/@vscode/tree-sitter-wasm/wasm/', import.meta.url));

async function parserFor(language: string): Promise<InstanceType<typeof Parser>> {
  await Parser.init({ locateFile: (name: string) => join(wasm, name) });
  const parser = new Parser();
  parser.setLanguage(await Language.load(join(wasm, `tree-sitter-${grammars[language]}.wasm`)));
  return parser;
}

test.each(snippets)('%s: the %s parses', async (language, _name, text) => {
  const parser = await parserFor(language);
  const tree = parser.parse(text);
  expect(tree?.rootNode.hasError, text).toBe(false);
  // the grammar finds faults at all
  expect(parser.parse(`${text}\n)`)?.rootNode.hasError).toBe(true);
});

test.each(snippets.filter(([language]) => language === 'node'))(
  '%s: node --check takes the %s',
  (_language, _name, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-fix-'));
    try {
      writeFileSync(join(folder, 'snippet.mjs'), text);
      execFileSync(process.execPath, ['--check', join(folder, 'snippet.mjs')]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

const hasPython = canRun('python3', ['--version']);

test.skipIf(!hasPython).each(snippets.filter(([language]) => language === 'python'))(
  '%s: python3 compiles the %s',
  (_language, name, text) => {
    execFileSync('python3', ['-c', 'import sys; compile(sys.argv[1], sys.argv[2], "exec")', text, name]);
  },
);

function canRun(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A folder in which a snippet finds its library as in its own program. */
function programFolder(finished: typeof OnTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-fix-'));
  finished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  return folder;
}

const run = promisify(execFile);

/** What a server needs besides the option: a method that says at which address it runs, and who has come. */
const serving = `
const bytes = (value) => value;
const who = { path: '/lab.Echo/Who', requestStream: false, responseStream: false, requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes };
export const peers = new Set();
export function serve(server, credentials, name) {
  server.addService({ Who: who }, { Who: (call, callback) => (peers.add(call.getPeer()), callback(null, Buffer.from(name))) });
  return new Promise((resolve, reject) => server.bindAsync('127.0.0.1:0', credentials, (error, port) => (error ? reject(error) : resolve('127.0.0.1:' + port))));
}
export const ask = (client) => new Promise((resolve, reject) =>
  client.makeUnaryRequest(who.path, bytes, bytes, Buffer.alloc(0), (error, answer) => (error ? reject(error) : resolve(String(answer)))));
`;

/** 60 calls of a printed client to three servers: how many each of them got. */
async function sixtyCalls(clientText: string, finished: typeof OnTestFinished): Promise<number[]> {
  const folder = programFolder(finished);
  writeFileSync(join(folder, 'serving.mjs'), serving);
  writeFileSync(
    join(folder, 'main.mjs'),
    `import { Server, ServerCredentials } from '@grpc/grpc-js';
import { writeFileSync } from 'node:fs';
import { ask, serve } from './serving.mjs';
const addresses = [];
for (const name of ['a', 'b', 'c']) addresses.push(await serve(new Server(), ServerCredentials.createInsecure(), name));
const text = ${JSON.stringify(clientText)}.replace('TARGET', 'ipv4:' + addresses.join(','));
writeFileSync('client.mjs', text + '\\nexport { client };\\n');
const { client } = await import('./client.mjs');
await new Promise((resolve, reject) => client.waitForReady(Date.now() + 5000, (error) => (error ? reject(error) : resolve())));
for (const seen = new Set(), least = Date.now() + 500; seen.size < 3 && Date.now() < least; ) seen.add(await ask(client));
const counts = {};
for (let call = 0; call < 60; call += 1) { const server = await ask(client); counts[server] = (counts[server] ?? 0) + 1; }
console.log(JSON.stringify(Object.values(counts)));
process.exit(0);
`,
  );
  const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: folder });
  return JSON.parse(stdout);
}

test('Node.js: 60 calls of the printed client are shared out by 3 servers', async ({ onTestFinished }) => {
  const counts = await sixtyCalls(clientCode.node({ ...wish, target: 'TARGET' }), onTestFinished);
  expect(counts).toHaveLength(3);
  for (const count of counts) expect(count).toBeGreaterThanOrEqual(18);
  for (const count of counts) expect(count).toBeLessThanOrEqual(22);
});

test('Node.js: without round_robin one server gets all 60', async ({ onTestFinished }) => {
  expect(await sixtyCalls(clientCode.node({ ...plain, target: 'TARGET' }), onTestFinished)).toEqual([60]);
});

test('Node.js: the printed server ends connections, and 40 calls of the printed client all succeed', async ({
  onTestFinished,
}) => {
  const folder = programFolder(onTestFinished);
  writeFileSync(join(folder, 'serving.mjs'), serving);
  writeFileSync(
    join(folder, 'server.mjs'),
    `${serverCode.node({ ageSeconds: 0.5, graceSeconds: 2 })}\nexport { server };\n`,
  );
  writeFileSync(
    join(folder, 'main.mjs'),
    `import { ServerCredentials } from '@grpc/grpc-js';
import { writeFileSync } from 'node:fs';
import { ask, peers, serve } from './serving.mjs';
import { server } from './server.mjs';
const address = await serve(server, ServerCredentials.createInsecure(), 'a');
writeFileSync('client.mjs', ${JSON.stringify(clientCode.node({ ...plain, target: 'TARGET' }))}.replace('TARGET', address) + '\\nexport { client };\\n');
const { client } = await import('./client.mjs');
let failed = 0;
for (let call = 0; call < 40; call += 1) {
  await ask(client).catch(() => { failed += 1; });
  await new Promise((resolve) => setTimeout(resolve, 60));
}
console.log(JSON.stringify({ failed, connections: peers.size }));
process.exit(0);
`,
  );
  const { stdout } = await run(process.execPath, ['main.mjs'], { cwd: folder });
  const { failed, connections } = JSON.parse(stdout);
  expect(failed).toBe(0);
  expect(connections).toBeGreaterThanOrEqual(3);
});
