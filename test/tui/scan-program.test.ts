import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Json, startCluster } from '../cli/cluster.ts';
import { expectError, runProgram } from '../cli/program.ts';
import { type ServedLab, type Session, serveLab, startProgram } from './session.ts';
import type { TerminalOptions } from './terminal.ts';

const open: Session[] = [];
afterEach(() => {
  for (const session of open.splice(0)) session.close();
});

/** `kubectl grpc-skew` without a Service, in a terminal. */
function list(kubeconfig: string, args: readonly string[] = [], { env, ...options }: TerminalOptions = {}): Session {
  const session = startProgram(args, { ...options, env: { KUBECONFIG: kubeconfig, ...env } });
  open.push(session);
  return session;
}

const esc = '\u001b';
const mouseOn = '\u001b[?1000h';
const mouseOff = '\u001b[?1000l';
const chosen = (session: Session) => session.screen().find((line) => line.startsWith('▸')) ?? '';

/** As a shell wants its terminal back. */
async function expectRestored(session: Session): Promise<{ readonly code: number; readonly text: string }> {
  const ended = await session.end();
  const raw = session.raw();
  expect(session.buffer()).toBe('normal');
  expect(ended.modes).toBe('icanon echo');
  expect(raw.lastIndexOf(mouseOff)).toBeGreaterThanOrEqual(raw.lastIndexOf(mouseOn));
  return ended;
}

describe('against the lab', () => {
  let lab: ServedLab;
  beforeAll(async () => {
    lab = await serveLab();
  }, 60_000);
  afterAll(() => lab.stop());

  test('the Services are a live list; enter diagnoses one, esc comes back, q leaves', async () => {
    const session = list(lab.kubeconfig);
    await session.until(/▸ echo:50051 +\S.* +SKEWED/);
    expect(session.buffer()).toBe('alternate');
    expect(session.screen()[0]).toMatch(/^ {2}grpc-skew-lab \/ shop +(live|looking) /);
    session.type('\r');
    await session.until('svc/echo :50051');
    await session.until(/SKEWED +10 pods do the work of/);
    await session.until('esc Services');
    // What covers the diagnosis is what esc closes first.
    session.type('h');
    await session.until('look again now');
    session.type(esc);
    await session.until('[1 now]');
    session.type(esc);
    await session.until(/▸ echo:50051/);
    await session.until(/SKEWED .*(certain|likely), diagnosed \d\d:\d\d:\d\dZ/);
    session.type('q');
    expect(await expectRestored(session)).toMatchObject({ code: 0 });
    // The screen was taken once and given back once: nothing flickers on the way.
    expect(session.raw().split('\u001b[?1049h')).toHaveLength(2);
  });

  test('a diagnosis that is left by q ends all, and its verdict is printed', async () => {
    const session = list(lab.kubeconfig);
    await session.until(/▸ echo:50051/);
    session.type('\r');
    await session.until('svc/echo :50051');
    await session.until(/SKEWED +10 pods do the work of/);
    session.type('q');
    const { code, text } = await expectRestored(session);
    expect(code).toBe(0);
    expect(text).toMatch(/SKEWED +10 pods do the work of/);
  });

  test('Ctrl-C ends at once with 130', async () => {
    const session = list(lab.kubeconfig);
    await session.until(/▸ echo:50051/);
    session.type('\u0003');
    expect(await expectRestored(session)).toMatchObject({ code: 130 });
  });

  test('SIGTERM gives the screen back, too', async () => {
    const session = list(lab.kubeconfig);
    await session.until(/▸ echo:50051/);
    session.signal('SIGTERM');
    expect(await expectRestored(session)).toMatchObject({ code: 130 });
  });

  test('a shows all namespaces, and where that is not allowed says so in place', async () => {
    const session = list(lab.kubeconfig, ['--context', 'grpc-skew-lab-viewer']);
    await session.until(/▸ echo:50051 +.* +UNKNOWN/);
    await session.until('not seen: usage (needs');
    session.type('a');
    await session.until('all namespaces');
    await session.until(/NO LIST +could not list services in all namespaces/);
    await session.until('a asks for namespace shop alone');
    session.type('a');
    await session.until(/▸ echo:50051/);
    session.type('q');
    expect(await expectRestored(session)).toMatchObject({ code: 0 });
  });

  test('a namespace that does not exist is no empty one', async () => {
    const session = list(lab.kubeconfig, ['-n', 'nope']);
    await session.until(/NO LIST +namespace nope does not exist/);
  });

  test('a click on the chosen line opens it; --no-mouse leaves the mouse to the terminal', async () => {
    const session = list(lab.kubeconfig);
    await session.until(/▸ echo:50051/);
    expect(session.raw()).toContain(mouseOn);
    const row = session.screen().findIndex((line) => line.startsWith('▸')) + 1;
    session.type(`\u001b[<0;5;${row}M\u001b[<0;5;${row}m`);
    await session.until('svc/echo :50051');
    session.type('q');
    await expectRestored(session);
    const without = list(lab.kubeconfig, ['--no-mouse']);
    await without.until(/▸ echo:50051/);
    expect(without.raw()).not.toContain(mouseOn);
    without.type('q');
    await expectRestored(without);
  });
});

/** A cluster with more Services over the same pods; names say which they are. */
async function severalServices() {
  const cluster = await startCluster(onTestFinished);
  const service: Json = cluster.objects['service'];
  const items = ['echo', 'alpha', 'beta', 'gamma'].map((name) => {
    const copy: Json = structuredClone(service);
    copy.metadata.name = name;
    return copy;
  });
  cluster.objects['services'] = { kind: 'ServiceList', metadata: {}, items };
  return cluster;
}

test('/ filters by name; the wheel moves on', async () => {
  const { kubeconfigPath } = await severalServices();
  const session = list(kubeconfigPath);
  await session.until(/▸ alpha:/);
  session.type('/amm');
  await session.until('/amm_');
  await expect.poll(() => session.screen().filter((line) => /\w:\d+ /.test(line))).toHaveLength(1);
  expect(chosen(session)).toContain('gamma');
  session.type('\r');
  session.type(esc);
  await expect.poll(() => session.screen().filter((line) => /\w:\d+ /.test(line))).toHaveLength(4);
  const first = chosen(session);
  session.type('\u001b[<65;5;6M');
  await expect.poll(() => chosen(session)).not.toBe(first);
  session.type('\u001b[<64;5;6M');
  await expect.poll(() => chosen(session)).toBe(first);
});

test('a name that is pasted with the end of its line, or with its whole line, is a filter', async () => {
  const { kubeconfigPath } = await severalServices();
  const session = list(kubeconfigPath);
  await session.until(/▸ alpha:/);
  const paste = (text: string) => session.type(`\u001b[200~${text}\u001b[201~`);
  for (const text of ['gamma\r\n', '  gamma   ClusterIP   10.96.0.1\n']) {
    session.type('/');
    await session.until('/_');
    paste(text);
    await session.until('/gamma_');
    expect(chosen(session)).toContain('gamma');
    session.type(esc);
    await expect.poll(() => session.screen().join('\n')).not.toContain('enter keeps it');
  }
  session.type('/');
  await session.until('/_');
  paste('n'.repeat(200_000));
  await session.until('none has nnn');
  session.type(esc);
  await session.until(/▸ \w+:/);
  session.type('q');
  expect(await expectRestored(session)).toMatchObject({ code: 0 });
});

test('a Service that is gone when it is opened: the list is back, and says so', async () => {
  const cluster = await severalServices();
  cluster.on(/^GET \/api\/v1\/namespaces\/[^/]+\/services\/gamma/, (_, response) => {
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify({ kind: 'Status', reason: 'NotFound', code: 404, message: 'services "gamma" not found' }),
    );
  });
  const session = list(cluster.kubeconfigPath);
  await session.until(/▸ alpha:/);
  session.type('/gamma\r\r');
  await session.until('svc/gamma: service gamma not found');
  await session.until(/▸ gamma:/);
});

test('an API that is gone: the list stays, with its age and the error; it comes back by itself', async () => {
  const cluster = await severalServices();
  let isGone = false;
  cluster.on(/\/services(\?|$)/, (request, response) => {
    if (isGone) {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ kind: 'Status', reason: 'Forbidden', code: 403, message: 'no more' }));
    } else cluster.answerAsRecorded(request, response);
  });
  const session = list(cluster.kubeconfigPath);
  await session.until(/▸ alpha:/);
  isGone = true;
  session.type('r');
  await session.until(/STALE \d+s/);
  await session.until('no new answer: could not list services');
  expect(chosen(session)).not.toBe('');
  isGone = false;
  session.type('r');
  await session.until(/ live {2}/);
});

test('an API that does not answer: Ctrl-C waits for nothing', async () => {
  const cluster = await severalServices();
  cluster.on(/./, () => {});
  const session = list(cluster.kubeconfigPath);
  await session.until(/LOOKING +asking for Services/);
  session.type('?');
  await session.until('look again now');
  session.type('\u0003');
  await session.until(/exit=130/, 2000);
});

test('the list asks for lists alone: no command in any pod, and nothing while it is paused', async () => {
  const cluster = await severalServices();
  const session = list(cluster.kubeconfigPath);
  await session.until(/▸ alpha:/);
  session.type(' ');
  await session.until('PAUSED');
  const paths = cluster.requests.map((line) => line.split('?')[0]);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.every((path) => /^GET .*\/(services|pods|endpointslices)$/.test(path ?? ''))).toBe(true);
});

describe('without a terminal', () => {
  test('one short usage, and 2', async () => {
    const run = await runProgram([]);
    expectError(run, 2, /^error: no Service is named; name one, or try kubectl grpc-skew lab/);
    expect(run.stderr.split('\n').length).toBeLessThan(10);
    expect(run.stdout).toBe('');
  });

  test('TERM=dumb is none', async () => {
    const session = list('/nowhere', [], { env: { TERM: 'dumb' } });
    expect(await session.end()).toMatchObject({ code: 2, text: expect.stringContaining('no Service is named') });
  });

  test.each([
    ['--output', ['-o', 'json']],
    ['--watch', ['-w']],
    ['--record', ['--record', 'x.json']],
  ])('%s is about one Service, and wants its name in a terminal, too', async (flag, args) => {
    const session = list('/nowhere', args);
    const text = expect.stringContaining(`error: ${flag} is about one Service, and none is named; name it`);
    expect(await session.end()).toMatchObject({ code: 2, text });
  });
});
