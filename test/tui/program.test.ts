import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../cli/program.ts';
import { type ServedLab, type Session, serveLab, startProgram } from './session.ts';
import type { TerminalOptions } from './terminal.ts';

let lab: ServedLab;
const open: Session[] = [];

beforeAll(async () => {
  lab = await serveLab();
}, 60_000);
afterAll(() => lab.stop());
afterEach(() => {
  for (const session of open.splice(0)) session.close();
});

/** Watches the lab's Service; without a second sample unless `args` say otherwise. */
function watch(args: readonly string[] = [], { env, ...options }: TerminalOptions = {}): Session {
  const session = startProgram(['echo', '--window', '0', ...args], {
    ...options,
    env: { KUBECONFIG: lab.kubeconfig, ...env },
  });
  open.push(session);
  return session;
}

const up = '\u001b[A';
const down = '\u001b[B';
const esc = '\u001b';
const enterAlternate = '\u001b[?1049h';
const leaveAlternate = '\u001b[?1049l';
const showCursor = '\u001b[?25h';

/** As a shell wants its terminal back. */
async function expectRestored(session: Session): Promise<{ readonly code: number; readonly text: string }> {
  const ended = await session.end();
  const raw = session.raw();
  expect(session.buffer()).toBe('normal');
  expect(ended.modes).toBe('icanon echo');
  expect(raw.lastIndexOf(leaveAlternate)).toBeGreaterThan(raw.lastIndexOf(enterAlternate));
  expect(raw.lastIndexOf(showCursor)).toBeGreaterThan(raw.lastIndexOf('\u001b[?25l'));
  return ended;
}

/** What was sent to the clipboard of the terminal. */
const copiedBy = (session: Session): string =>
  Buffer.from(/\u001b\]52;c;([A-Za-z0-9+/=]+)\u0007/.exec(session.raw())?.[1] ?? '', 'base64').toString();

const sectionsOf = (note: string) => [...note.matchAll(/^## (.*)$/gm)].map((found) => found[1]);

describe('one session', () => {
  let session: Session;
  const chosen = () => session.screen().find((line) => line.startsWith('▸')) ?? '';

  beforeAll(async () => {
    session = startProgram(['echo'], { env: { KUBECONFIG: lab.kubeconfig } });
    await session.until(/ live .*\n *SKEWED/);
  }, 30_000);
  afterAll(() => session.close());

  test('the verdict and the pods are on the alternate screen', () => {
    expect(session.buffer()).toBe('alternate');
    const screen = session.screen().join('\n');
    for (const word of ['grpc-skew-lab / shop / svc/echo :50051', 'impact', 'since', 'why', 'now', 'fix', '10 pods'])
      expect(screen).toContain(word);
    // Three pods carry all, the seven new ones stand in one line.
    expect(screen.match(/^[▸ ] echo-\S+/gm)).toHaveLength(3);
    expect(screen).toMatch(/^ {2}\+ 7 idle, all younger than the others, none with a connection/m);
    expect(screen).toMatch(/^ {2}pods {8}█[▂-▇]{2}▁{7} /m);
  });

  test('2, 3, tab and 1 show the screens', async () => {
    session.type('2');
    await session.until('[2 why]');
    await session.until('CLIENTS AND THE PODS THEY REACH');
    session.type('\t');
    await session.until('[3 what to do]');
    await session.until('headless-round-robin');
    session.type('\t');
    await session.until('[1 now]');
    session.type('\u001b[Z');
    await session.until('[3 what to do]');
    session.type('1');
    await session.until('[1 now]');
  });

  test('arrows choose a pod, enter shows it, escape goes back', async () => {
    const first = chosen();
    session.type(down);
    await expect.poll(chosen).not.toBe(first);
    const second = /echo-\S+/.exec(chosen())?.[0] ?? '';
    session.type('\r');
    await session.until('a fair share is');
    expect(session.screen()[1]).toContain(second);
    session.type(esc);
    await session.until('[1 now]');
    session.type(up);
    await expect.poll(chosen).toContain(/echo-\S+/.exec(first)?.[0] ?? '');
  });

  test('enter on the idle pods unfolds them, and folds them again', async () => {
    const names = () => session.screen().filter((line) => /^[▸ ] echo-/.test(line)).length;
    session.type(down.repeat(3));
    await session.until(/^▸ \+ 7 idle/m);
    session.type('\r');
    await expect.poll(names).toBe(10);
    session.type('\r');
    await expect.poll(names).toBe(3);
    session.type('g');
    await expect.poll(chosen).toContain('hot');
  });

  test('o sorts the pods', async () => {
    const names = () => session.screen().flatMap((line) => /^[▸ ] (echo-\S+)/.exec(line)?.[1] ?? []);
    for (let order = 0; order < 4; order++) session.type('o');
    await expect.poll(() => names().length === 10 && names().join() === names().toSorted().join()).toBe(true);
    session.type('o');
    await expect.poll(chosen).toContain('hot');
  });

  test('w and l change the answer at once', async () => {
    session.type('3');
    await session.until(/▸ fix +headless \+ round_robin/);
    session.type('ww');
    await session.until(/▸ fix +L7 proxy/);
    await session.until('third-party, as you say');
    session.type('l');
    await session.until(/language (?!not said)/);
    session.type('ww');
    await session.until(/▸ fix +headless \+ round_robin/);
    session.type('1');
  });

  test('c shows the commands behind the figures; ? what a line means, and the keys', async () => {
    session.type('c');
    await session.until('kubectl exec echo-');
    session.type('?');
    await session.until('KEYS');
    session.type('?');
    await session.until('[1 now]');
    session.type('?');
    await session.until(/hot +A pod with about/);
    session.type('?');
    await session.until('KEYS');
    session.type('\u001b');
    await session.until('[1 now]');
  });

  test('y copies the note that -o markdown prints, and writes nothing', async () => {
    const files = readdirSync(session.folder);
    session.type('y');
    await session.until('copied as markdown to the clipboard');
    const copied = copiedBy(session);
    expect(copied).toMatch(/^\*\*SKEWED\*\* — 10 pods do the work of/);
    const printed = await runProgram(['echo', '-o', 'markdown'], {
      env: { KUBECONFIG: lab.kubeconfig },
    });
    // Figures differ between two looks; the sections of the note and the command at its end do not.
    expect(sectionsOf(copied)).toEqual(sectionsOf(printed.stdout));
    expect(copied.trimEnd().split('\n').at(-1)).toBe(printed.stdout.trimEnd().split('\n').at(-1));
    expect(readdirSync(session.folder)).toEqual(files);
  });

  test('the wheel and clicks choose a line, another click opens it', async () => {
    const chosenName = () => /echo-\S+/.exec(chosen())?.[0] ?? '';
    const first = chosenName();
    session.type('\u001b[<65;5;6M');
    await expect.poll(chosenName).not.toBe(first);
    session.type('\u001b[<64;5;6M');
    await expect.poll(chosenName).toBe(first);
    const row = session.screen().findIndex((line) => line.startsWith('▸')) + 2;
    session.type(`\u001b[<0;5;${row}M\u001b[<0;5;${row}m`);
    await expect.poll(chosenName).not.toBe(first);
    const name = chosenName();
    session.type(`\u001b[<0;5;${row}M\u001b[<0;5;${row}m`);
    await session.until('a fair share is');
    expect(session.screen()[1]).toContain(name);
    session.type(esc);
    await session.until('[1 now]');
    session.type('g');
    await expect.poll(chosenName).toBe(first);
  });

  test('x copies the command of now, and nothing that would run it', async () => {
    const before = session.raw().length;
    session.type('x');
    await session.until('copied to the clipboard of the terminal: kubectl');
    const [, encoded = ''] = /\u001b\]52;c;([A-Za-z0-9+/=]+)\u0007/.exec(session.raw().slice(before)) ?? [];
    const copied = Buffer.from(encoded, 'base64').toString();
    expect(copied).toMatch(/^kubectl delete pod client-\S+ -n shop --context grpc-skew-lab$/);
  });

  test('f opens the change: what is not met, then the manifest, then the rest', async () => {
    session.type('f');
    await session.until('MANIFESTS');
    const screen = session.screen().join('\n');
    expect(screen).toMatch(/kind: Service\n/);
    expect(screen.indexOf('MANIFESTS')).toBeLessThan(15 * 120);
    expect(screen).not.toContain('STEPS, in this order');
    // j and k move in it as arrows do.
    session.type('G');
    await session.until('PROOF');
    session.type('g');
    await session.until('MANIFESTS');
    session.type(esc);
    await session.until('[1 now]');
  });

  test('s saves the evidence, and --from reads it', async () => {
    session.type('s');
    await session.until(/saved as \/\S+\/grpc-skew-echo-\S+\.json/);
    const [file = ''] = readdirSync(session.folder).filter((name) => name.endsWith('.json'));
    const run = await runProgram(['--from', join(session.folder, file), '-o', 'json']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ kind: 'SkewReport', metadata: { name: 'echo' } });
  });

  test('space pauses, and says so; space goes on', async () => {
    session.type(' ');
    await session.until(/PAUSED .*/);
    await session.until('nothing is asked of the cluster');
    session.type(' ');
    await session.until(/ live {2}/);
  });

  test('r looks again: the sockets are read anew', async () => {
    session.type('r');
    await session.until('looking again');
    await session.until(/30 execs in 10 pods/);
  });

  test('the clock and the ages go on', async () => {
    const age = () => Number(/CPU (\d+) s/.exec(session.screen().join('\n'))?.[1]);
    const before = age();
    await expect.poll(age, { timeout: 6000 }).not.toBe(before);
  });

  test('a resize lays the screen out anew, down to a message and back', async () => {
    const fits = async (columns: number, rows: number, wanted: string | RegExp) => {
      session.resize(columns, rows);
      await session.until(wanted);
      expect(session.screen()).toHaveLength(rows);
    };
    await fits(80, 24, /x copy {2}f fix {2}\? help {2}q quit$/m);
    await fits(60, 16, /SKEWED[\s\S]*echo-[\s\S]*\+ 7 idle/);
    await fits(40, 10, 'needs 60×16, this is 40×10');
    await fits(200, 60, /WHY .*WHAT TO DO[\s\S]*WHAT CHANGED .*STRATEGY/);
    await fits(120, 36, /x copy now {2}f fix {2}space pause {2}\? help {2}q quit$/m);
    // A terminal that shrinks shows the end of the old screen until it is drawn anew.
    const titles = () => session.screen().flatMap((line, row) => (line.includes('svc/echo') ? [row] : []));
    await expect.poll(titles).toEqual([0]);
  });

  test('nothing was cleared as a whole after the start', () => {
    expect(session.raw().split('\u001b[2J').length).toBeLessThanOrEqual(2);
  });

  test('colours are among those that a light and a dark background both show', () => {
    const used = new Set(session.raw().match(/\u001b\[[0-9;]*m/g));
    expect(used.size).toBeGreaterThan(2);
    for (const sequence of used) expect(sequence).toMatch(/^\u001b\[(0|1|2|22|39|38;5;136|1;31|1;32|31|32)?m$/);
  });

  test('q gives the terminal back and prints the verdict', async () => {
    session.type('q');
    const { code, text } = await expectRestored(session);
    expect(code).toBe(0);
    expect(text).toMatch(/SKEWED +10 pods do the work of/);
    expect(session.raw()).not.toMatch(/\b(?:Error|undefined|NaN)\b/);
  });
});

describe('leaving', () => {
  test.each([
    ['ctrl-c', (session: Session) => session.type('\u0003')],
    ['SIGTERM', (session: Session) => session.signal('SIGTERM')],
    ['SIGHUP', (session: Session) => session.signal('SIGHUP')],
  ])('%s gives the terminal back, prints the verdict, writes the record and tells the state', async (_, leave) => {
    const session = watch(['--fail-on', 'skewed', '--record', 'seen.json']);
    await session.until('SKEWED');
    leave(session);
    const { code, text } = await expectRestored(session);
    expect(code).toBe(3);
    expect(text).toMatch(/SKEWED +10 pods do the work of/);
    expect(JSON.parse(readFileSync(join(session.folder, 'seen.json'), 'utf8'))).toMatchObject({ kind: 'SkewEvidence' });
  });

  test('a verdict that still waits for something is printed as such', async () => {
    const session = startProgram(['echo', '--window', '60'], { env: { KUBECONFIG: lab.kubeconfig } });
    open.push(session);
    await session.until(/SKEWED .* so far\n +missing +the second sample/);
    session.type('q');
    const { text } = await expectRestored(session);
    const printed = text.slice(text.indexOf('SKEWED'));
    expect(printed).toMatch(/^SKEWED .* likely so far\s+missing +the second sample/);
    expect(printed).not.toMatch(/\bcertain\b/);
  });

  test('a Service that is not there: the reason on the normal screen, and exit code 1', async () => {
    const session = startProgram(['ecko'], { env: { KUBECONFIG: lab.kubeconfig } });
    open.push(session);
    const { code, text } = await expectRestored(session);
    expect(code).toBe(1);
    expect(text).toMatch(/error: service ecko not found in namespace shop .*services there: .*echo/s);
  });
});

describe('before the first answer', () => {
  test.each([
    [4, ['--fail-on', 'skewed']],
    [130, []],
  ])('there is a screen with the place, the Service and the steps; q leaves at once, with %i', async (wanted, args) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const session = watch(['--server', `https://127.0.0.1:${port}`, ...args]);
    await session.until('LOOKING');
    const screen = session.screen().join('\n');
    for (const word of ['grpc-skew-lab / shop / svc/echo', 'Service', 'endpoints', 'usage', 'connections', 'clients'])
      expect(screen).toContain(word);
    session.type('q');
    const { code } = await expectRestored(session);
    expect(code).toBe(wanted);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('a credential plugin asks its question on the normal screen', async () => {
    const session = watch(['--kubeconfig', 'asking.yaml']);
    const { folder } = session;
    const token = /token: (\S+)/.exec(readFileSync(lab.kubeconfig, 'utf8'))?.[1] ?? '';
    const plugin = join(folder, 'login.sh');
    writeFileSync(
      plugin,
      `#!/bin/sh\nprintf 'code? ' >&2\nread code\nprintf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "${token}"\n`,
    );
    chmodSync(plugin, 0o755);
    writeFileSync(join(folder, 'asking.yaml'), withPlugin(readFileSync(lab.kubeconfig, 'utf8'), plugin));
    await session.until('code?');
    expect(session.buffer()).toBe('normal');
    expect(session.raw()).not.toContain(enterAlternate);
    session.type('1234\r');
    await session.until('SKEWED');
    expect(session.buffer()).toBe('alternate');
    session.type('q');
    await expectRestored(session);
  });
});

/** The same clusters and contexts, with users that run a plugin instead of showing a token. */
function withPlugin(kubeconfig: string, plugin: string): string {
  const exec = `exec: {apiVersion: client.authentication.k8s.io/v1, command: ${plugin}, interactiveMode: IfAvailable}`;
  return kubeconfig.replaceAll(/token: \S+/g, exec);
}

test('-v 6: requests are not written over the live view, and come out after it', async () => {
  const session = watch(['-v', '6']);
  await session.until('SKEWED');
  expect(session.raw()).not.toContain('GET /');
  session.type('q');
  const { text } = await expectRestored(session);
  expect(text).toMatch(/GET \/api\/v1\S* 200 in \d+ ms/);
  expect(text).toContain('SKEWED');
});

describe('other terminals', () => {
  test('TERM=dumb: the table, and why', async () => {
    const session = watch([], { env: { TERM: 'dumb' } });
    const { code, text } = await session.end();
    expect(code).toBe(0);
    expect(text).toContain('no live view: this terminal cannot be drawn on');
    expect(text).toContain('SKEWED');
    expect(session.raw()).not.toContain('\u001b');
  });

  test('for a screen reader: no alternate screen, no bars', async () => {
    const session = watch([], { env: { INK_SCREEN_READER: 'true' } });
    await session.until('SKEWED');
    expect(session.raw()).not.toContain(enterAlternate);
    session.type('q');
    const { modes } = await session.end();
    expect(modes).toBe('icanon echo');
    expect(session.raw().split('no answer')[0]).not.toMatch(/[█▉▊▋▌▍▎▏].*q quit/s);
  });

  test('a locale without UTF-8: ASCII only', async () => {
    const session = watch([], { env: { LANG: 'C', LC_ALL: 'C' } });
    await session.until('SKEWED');
    expect(session.screen().join('')).toMatch(/^[\x20-\x7e]*$/);
    session.type('q');
    await expectRestored(session);
  });

  test('stdin from a file, or stdout to a pipe: the table', async () => {
    const { code, stdout } = await runProgram(['echo', '--window', '0'], { env: { KUBECONFIG: lab.kubeconfig } });
    expect(code).toBe(0);
    expect(stdout).toContain('SKEWED');
    expect(stdout).not.toContain('\u001b');
  });

  test('CI=true is live, NO_COLOR has no colour but bold and faint, and y writes a file where the clipboard is out of reach', async () => {
    const session = watch([], { env: { CI: 'true', NO_COLOR: '1', TERM_PROGRAM: 'Apple_Terminal' } });
    await session.until('SKEWED');
    expect(session.buffer()).toBe('alternate');
    session.type('y');
    await session.until(/saved as \/\S+\/grpc-skew-echo-\S+\.md/);
    const [file = ''] = readdirSync(session.folder).filter((name) => name.endsWith('.md'));
    const note = readFileSync(join(session.folder, file), 'utf8');
    expect(note).toContain('**SKEWED**');
    expect(sectionsOf(note)).toContain('Pods');
    session.type('q');
    await expectRestored(session);
    expect(session.raw()).not.toContain('\u001b]52');
    const used = new Set(session.raw().match(/\u001b\[[0-9;]*m/g));
    for (const weight of ['\u001b[1m', '\u001b[2m']) expect(used).toContain(weight);
    for (const sequence of used) expect(sequence).toMatch(/^\u001b\[(0|1|2|22)?m$/);
  });
});

test('the lab opens the live view, and q ends both', async () => {
  const session = startProgram(['lab', 'balanced', '--window', '0']);
  open.push(session);
  await session.until('BALANCED');
  expect(session.buffer()).toBe('alternate');
  session.type('q');
  const { code, text } = await expectRestored(session);
  expect(code).toBe(0);
  expect(text).toContain('BALANCED');
});

test('an autoscaler that does not see the hot pod is told on the first screen, and on the second in full', async () => {
  const session = startProgram(['lab', 'hpa-blind', '--window', '0'], { columns: 80, rows: 24 });
  open.push(session);
  await session.until(/ live .*\n *SKEWED/);
  await session.until(/^ {2}warn {8}hpa-blind: autoscaler echo sees a mean of/m);
  session.type('2');
  await session.until(/WARNINGS\n {2}hpa-blind: autoscaler echo/);
  await session.until(/new\s+pods\s+would\s+get\s+no\s+connections/);
}, 40_000);

test('a cluster that is lost while it is watched looks lost: since when, why, and when it is asked again', async () => {
  const doomed = await serveLab('balanced');
  const session = startProgram(['echo', '--window', '0'], { env: { KUBECONFIG: doomed.kubeconfig } });
  open.push(session);
  await session.until(/ live .*\n *BALANCED/);
  await doomed.stop();
  await session.until(/STALE \d+s {2}.*\n {2}STALE {7}since \d\d:\d\d:\d\d: [\s\S]*ECONNREFUSED/);
  await session.until(/no new answer; (?:next try in \d s|trying again now)/);
  expect(session.screen().join('\n')).not.toContain('all signals seen');
  expect(session.screen().join('\n')).toContain('BALANCED');
  session.type('q');
  await expectRestored(session);
}, 60_000);
