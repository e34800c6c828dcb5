import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ExecOutput, ExecTarget, KubeClient, KubeResult } from '../../src/kube/types.ts';
import { type ApiServer, headerLines, startServer } from './api-server.ts';
import { execRecording, frame, refuse, replay, successFrame, webSocket } from './exec-server.ts';
import { errorOf, openClient } from './open-client.ts';

const target: ExecTarget = { namespace: 'shop', pod: 'echo-1', container: 'server', command: ['ss', '-Htn'] };

let server: ApiServer;
let client: KubeClient;

beforeAll(async () => {
  server = await startServer((_request, response) => void response.end());
  client = await openClient(server.url, { user: { token: 'secret-token' } });
});

afterEach(() => {
  server.requests.length = 0;
  server.rawHeaders.length = 0;
});

afterAll(async () => {
  await client.close();
  await server.close();
});

function outputOf(result: KubeResult<ExecOutput>): ExecOutput {
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`);
  return result.value;
}

async function execOf(recording: string): Promise<KubeResult<ExecOutput>> {
  server.upgrade = replay(execRecording(recording));
  return client.exec(target, { timeoutMs: 5000 });
}

describe('recorded commands', () => {
  test.each(['success-v5', 'success-v4'])('%s', async (recording) => {
    const output = outputOf(await execOf(recording));
    expect(output.end).toEqual({ kind: 'exit', code: 0 });
    expect(output.stdout).toContain('[::ffff:10.244.0.117]:50051 [::ffff:10.244.0.145]:36992');
    expect(output.stderr).toBe('');
    expect(Date.parse(output.endedAt)).toBeGreaterThanOrEqual(Date.parse(output.startedAt));
    expect(output.startedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('stdout and stderr stay apart', async () => {
    const output = outputOf(await execOf('exit-3'));
    expect(output).toMatchObject({ stdout: 'out\n', stderr: 'err\n', end: { kind: 'exit', code: 3 } });
    const warned = outputOf(await execOf('stderr-and-success'));
    expect(warned.stderr).toBe('Failed to find cgroup2 mount\n'.repeat(2));
    expect(warned.end).toEqual({ kind: 'exit', code: 0 });
  });

  test.each(['no-program-v5', 'no-program-v4', 'no-program-path'])('%s', async (recording) => {
    const { end } = outputOf(await execOf(recording));
    expect(end.kind).toBe('no-such-program');
    expect((end as { message: string }).message).toBe('the image has no such program');
  });

  test('a shell that lacks the program, and a file that is missing, are exit codes', async () => {
    expect(outputOf(await execOf('no-shell-program')).end).toEqual({ kind: 'exit', code: 127 });
    const partial = outputOf(await execOf('cat-file-missing'));
    expect(partial.end).toEqual({ kind: 'exit', code: 1 });
    expect(partial.stdout).toContain('local_address');
  });
});

describe('recorded refusals', () => {
  test.each([
    ['viewer', 'forbidden', 'Needs a Role with get and create on pods/exec in namespace shop; get is missing.'],
    ['create-only', 'forbidden', 'Needs a Role with get and create on pods/exec in namespace shop; get is missing.'],
    ['get-only', 'forbidden', 'Needs a Role with get and create on pods/exec in namespace shop; create is missing.'],
    ['crash-loop', 'server', 'The container is not running now: it may be restarting.'],
    ['missing-pod', 'not-found', undefined],
    ['wrong-container', 'server', undefined],
  ])('%s: %s', async (recording, kind, hint) => {
    const error = errorOf(await execOf(recording));
    expect(error.kind).toBe(kind);
    expect(error.hint).toBe(hint);
    expect(error.request).toBe('exec ss in pod shop/echo-1, container server');
  });

  test("keeps the server's words", async () => {
    expect(errorOf(await execOf('crash-loop'))).toMatchObject({
      status: 500,
      message: 'container not found ("server")',
    });
    expect(errorOf(await execOf('wrong-container'))).toMatchObject({
      status: 400,
      message: 'container nope is not valid for pod echo-6b9cc657d4-2562j',
    });
    expect(errorOf(await execOf('viewer')).message).toContain('cannot get resource "pods/exec"');
  });

  test.each(['unknown-subprotocol', 'post'])('%s is no RBAC answer but a failed upgrade', async (recording) => {
    const error = errorOf(await execOf(recording));
    expect(error.kind).toBe('upgrade');
    expect(error.hint).toContain('WebSocket');
  });
});

describe('other refusals', () => {
  const status = (message: string, code: number): string =>
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code });
  const denied = 'admission webhook "deny-exec.example.com" denied the request: no exec in production';

  test.each([
    ['a webhook', 403, 'application/json', status(denied, 403), 'refused'],
    ['a webhook that answers 400', 400, 'application/json', status(denied, 400), 'refused'],
    [
      'a policy',
      403,
      'application/json',
      status('pods "echo-1" is forbidden: pod does not allow exec', 403),
      'refused',
    ],
    ["a proxy's page", 403, 'text/html', '<html>Blocked</html>', 'upgrade'],
    ['a login page', 200, 'text/html', '<html>Log in</html>', 'upgrade'],
    ['a balancer without a backend', 503, 'text/plain', '', 'upgrade'],
    ['a redirect', 302, 'text/plain', 'elsewhere', 'upgrade'],
    ['a proxy that strips the header', 400, 'application/json', status('Upgrade request required', 400), 'upgrade'],
    ['a node that is down', 500, 'application/json', status('error dialing backend: EOF', 500), 'server'],
    ['no credential', 401, 'application/json', status('Unauthorized', 401), 'credential'],
    ['flow control', 429, 'text/plain', 'too many', 'throttled'],
  ])('%s', async (_name, code, type, body, kind) => {
    server.upgrade = (_request, socket) => refuse(socket, `HTTP/1.1 ${code} Words`, body, { 'Content-Type': type });
    const error = errorOf(await client.exec(target));
    expect(error.kind).toBe(kind);
    expect(error.status).toBe(code);
  });

  test('429 with Retry-After is asked again', async () => {
    const good = replay(execRecording('success-v5'));
    server.upgrade = (_request, socket) => {
      server.upgrade = good;
      refuse(socket, 'HTTP/1.1 429 Too Many Requests', '', { 'Retry-After': '0' });
    };
    expect((await client.exec(target)).ok).toBe(true);
  });

  test('a 101 without a subprotocol', async () => {
    server.upgrade = webSocket(() => {}, 'none of these');
    expect(errorOf(await client.exec(target)).kind).toBe('upgrade');
  });
});

describe('the request', () => {
  test('offers v5 then v4, asks for stdout and stderr, escapes the command', async () => {
    server.upgrade = replay(execRecording('success-v5'));
    await client.exec({ ...target, command: ['sh', '-c', 'echo a&b=c; cat "/x y"#'] });
    const url = new URL(server.requests[0]?.replace('GET ', '') ?? '', server.url);
    expect(url.pathname).toBe('/api/v1/namespaces/shop/pods/echo-1/exec');
    expect(url.searchParams.getAll('command')).toEqual(['sh', '-c', 'echo a&b=c; cat "/x y"#']);
    expect(url.searchParams.get('stdout')).toBe('true');
    expect(url.searchParams.get('stderr')).toBe('true');
    expect(url.searchParams.get('stdin')).toBeNull();
    const raw = server.rawHeaders[0] ?? [];
    expect(headerLines(raw, 'sec-websocket-protocol')).toEqual(['v5.channel.k8s.io,v4.channel.k8s.io']);
    expect(headerLines(raw, 'authorization')).toEqual(['Bearer secret-token']);
    expect(headerLines(raw, 'user-agent')).toEqual(['kubectl-grpc_skew/test']);
  });

  test.each([
    { ...target, namespace: '../kube-system' },
    { ...target, pod: 'a/b' },
    { ...target, pod: 'a?b' },
    { ...target, container: '' },
    { ...target, command: [] },
  ])('is not sent for names that cannot be: %o', async (bad) => {
    expect(errorOf(await client.exec(bad)).kind).toBe('config');
    expect(server.requests).toEqual([]);
  });
});

describe('the stream', () => {
  test('a character split between frames', async () => {
    const bytes = Buffer.from('a😀é');
    server.upgrade = webSocket((socket) => {
      for (const byte of bytes) socket.send(frame(1, Buffer.from([byte])));
      socket.send(successFrame);
      socket.close();
    });
    expect(outputOf(await client.exec(target)).stdout).toBe('a😀é');
  });

  test('stdout that comes after the status', async () => {
    server.upgrade = webSocket((socket) => {
      socket.send(frame(1, 'one '));
      socket.send(successFrame);
      setTimeout(() => {
        socket.send(frame(1, 'two'));
        socket.close();
      }, 50);
    });
    expect(outputOf(await client.exec(target)).stdout).toBe('one two');
  });

  test('starts with the first byte, not with the empty frame before it', async () => {
    let sentAt = 0;
    server.upgrade = webSocket((socket) => {
      socket.send(frame(1, ''));
      setTimeout(() => {
        sentAt = Date.now();
        socket.send(frame(1, 'late'));
        socket.send(successFrame);
        socket.close();
      }, 50);
    });
    const { startedAt } = outputOf(await client.exec(target));
    expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(sentAt);
  });

  test('a server that never closes after the status', async () => {
    server.upgrade = webSocket((socket) => socket.send(successFrame));
    expect(outputOf(await client.exec(target)).end).toEqual({ kind: 'exit', code: 0 });
  });

  test('a close without a status is lost, and keeps stdout', async () => {
    server.upgrade = webSocket((socket) => {
      socket.send(frame(1, 'half'));
      socket.close();
    });
    expect(outputOf(await client.exec(target))).toMatchObject({ stdout: 'half', end: { kind: 'lost' } });
    server.upgrade = webSocket((socket) => socket.send(frame(1, 'half'), () => socket.terminate()));
    expect(outputOf(await client.exec(target))).toMatchObject({ stdout: 'half', end: { kind: 'lost' } });
  });

  test('frames nobody expects do no harm', async () => {
    server.upgrade = webSocket((socket) => {
      socket.send(Buffer.alloc(0));
      socket.send(frame(9, 'what'));
      socket.send(frame(255, Buffer.from([1])));
      socket.send('text');
      socket.send(frame(1, 'fine'));
      socket.send(successFrame);
      socket.close();
    });
    expect(outputOf(await client.exec(target))).toMatchObject({ stdout: 'fine', end: { kind: 'exit', code: 0 } });
  });

  test('a status that is no JSON', async () => {
    server.upgrade = webSocket((socket) => {
      socket.send(frame(3, 'command terminated'));
      socket.close();
    });
    const message = 'the command did not run: the container runtime said why in 18 characters, which are not kept';
    expect(outputOf(await client.exec(target)).end).toEqual({ kind: 'failed', message });
  });

  test('more than maxBytes', async () => {
    let closed = false;
    server.upgrade = webSocket((socket) => {
      socket.on('close', () => {
        closed = true;
      });
      socket.send(frame(1, 'x'.repeat(600)));
      socket.send(frame(1, 'x'.repeat(600)));
    });
    const error = errorOf(await client.exec(target, { maxBytes: 1000 }));
    expect(error).toMatchObject({ kind: 'bad-answer', message: 'the output is longer than 1000 bytes' });
    await expect.poll(() => closed, { timeout: 15_000 }).toBe(true);
  });

  test('exactly maxBytes', async () => {
    server.upgrade = webSocket((socket) => {
      socket.send(frame(1, 'x'.repeat(1000)));
      socket.send(successFrame);
      socket.close();
    });
    expect(outputOf(await client.exec(target, { maxBytes: 1000 })).stdout).toHaveLength(1000);
  });

  test('the connection is closed with the answer', async () => {
    let closeCode = 0;
    server.upgrade = webSocket((socket) => {
      socket.on('close', (code) => {
        closeCode = code;
      });
      socket.send(successFrame);
      socket.close(1000);
    });
    await client.exec(target);
    await expect.poll(() => closeCode, { timeout: 15_000 }).toBe(1000);
  });
});

describe('time', () => {
  test('an upgrade that is never answered', async () => {
    server.upgrade = () => {};
    const error = errorOf(await client.exec(target, { timeoutMs: 100 }));
    expect(error).toMatchObject({ kind: 'timeout', message: `no answer from ${server.url} within 0.1 s` });
  });

  test('a refusal that does not end', async () => {
    server.upgrade = (_request, socket) => {
      socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\n{"kind":');
    };
    expect(errorOf(await client.exec(target, { timeoutMs: 200 })).kind).toBe('timeout');
  });

  test('a command that does not end', async () => {
    server.upgrade = webSocket((socket) => socket.send(frame(1, 'and then')));
    const error = errorOf(await client.exec(target, { timeoutMs: 1000 }));
    expect(error).toMatchObject({ kind: 'timeout', message: 'the command did not end within 1 s' });
  });

  test('our own signal', async () => {
    const controller = new AbortController();
    server.upgrade = webSocket(() => controller.abort());
    expect(errorOf(await client.exec(target, { signal: controller.signal })).kind).toBe('aborted');
    expect(errorOf(await client.exec(target, { signal: AbortSignal.abort() })).kind).toBe('aborted');
  });

  test('a connection closed before an answer', async () => {
    server.upgrade = (_request: IncomingMessage, socket) => void socket.destroy();
    expect(errorOf(await client.exec(target)).kind).toBe('closed');
  });
});

test('execs are counted apart from requests', async () => {
  const before = { ...client.counts };
  await execOf('success-v5');
  expect(client.counts).toEqual({ requests: before.requests, execs: before.execs + 1 });
});
