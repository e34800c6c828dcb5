import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../src/lab/api/answer.ts';
import type { User } from '../../src/lab/api/rbac.ts';
import { execDenial } from '../../src/lab/exec/exec.ts';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import { clientOf, type Frame, fixture, podNames, type Upgraded } from './lab-client.ts';

interface Recorded {
  readonly request: string;
  readonly offered_subprotocols: readonly string[];
  readonly response_status_line: string;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly frames: readonly Frame[];
  readonly body?: string;
  readonly as: string;
}

const labs: Record<string, { lab: Lab; pod: string }> = {};

beforeAll(async () => {
  const start = async (scenario: string) => {
    const lab = await startLab({ scenario });
    const [pod = ''] = await podNames(clientOf(lab, 'admin'), lab, 'echo');
    return { lab, pod };
  };
  const [withSs, withoutSs] = await Promise.all([start('scale-up'), start('no-ss')]);
  Object.assign(labs, { 'skew-scaleup': withSs, noss: withoutSs, distroless: withoutSs });
});

afterAll(() => Promise.all(Object.values(labs).map(({ lab }) => lab.stop())));

/** Asks the lab what the real cluster was asked, of a pod of the like. */
async function replay(name: string): Promise<{ recorded: Recorded; reply: Upgraded }> {
  const text = JSON.stringify(fixture(`exec/${name}.json`));
  const [, namespace = ''] = /\/namespaces\/([\w-]+)\//.exec(text) ?? [];
  const { lab, pod } = labs[namespace] ?? {};
  if (!lab || !pod) throw new Error(`no lab stands for namespace ${namespace}`);
  const inLab = text.replaceAll(`namespaces/${namespace}/`, 'namespaces/shop/').replaceAll(/echo-\w{10}-\w{5}/g, pod);
  const recorded = JSON.parse(inLab.replaceAll(`namespace \\\\\\"${namespace}`, 'namespace \\\\\\"shop')) as Recorded;
  const [method = '', path = ''] = recorded.request.split(' ');
  const reply = await clientOf(lab, recorded.as).upgrade(method, path, recorded.offered_subprotocols);
  return { recorded, reply };
}

describe('upgrades and frames are those of a real cluster', () => {
  test.each([
    'noss-ss-missing.v5',
    'noss-ss-missing.v4',
    'noss-ss-missing.base64-v1',
    'distroless-abs-path-missing',
    'cat-file-missing',
  ])('%s: the same frames', async (name) => {
    const { recorded, reply } = await replay(name);
    // The runtime numbers each exec by chance.
    const anyExec = (frames: readonly Frame[]) =>
      JSON.parse(JSON.stringify(frames).replaceAll(/[0-9a-f]{64}/g, 'EXEC')) as unknown;
    expect(anyExec(reply.frames)).toEqual(anyExec(recorded.frames));
  });

  test.each([
    'ss-success.v5',
    'ss-success.v4',
    'ss-success.base64',
    'ss-success.v4-base64',
    'ss-success.no-subprotocol',
    'ss-success.offer-v5-v4',
    'container-omitted',
    'noss-cat-works',
  ])('%s: the same frames but for the sockets', async (name) => {
    const { recorded, reply } = await replay(name);
    const outline = (frames: readonly Frame[]) =>
      frames.map(({ fin, opcode, channel, close_code, payload = '' }) => ({
        fin,
        opcode,
        channel,
        close_code,
        text: channel === 3 ? payload : [...new Set(payload.split('\n').map(socketForm))],
      }));
    expect(outline(reply.frames)).toEqual(outline(recorded.frames));
    const headers = Object.keys(recorded.response_headers).map((header) => header.toLowerCase());
    expect(Object.keys(reply.headers).toSorted()).toEqual(headers.toSorted());
    expect(reply.headers['sec-websocket-protocol']).toBe(recorded.response_headers['Sec-WebSocket-Protocol']);
  });

  test.each(['container-wrong', 'pod-missing', 'subprotocol-unknown', 'viewer'])(
    '%s: the same refusal',
    async (name) => {
      const { recorded, reply } = await replay(name);
      const { Date: date, ...headers } = recorded.response_headers;
      expect(`HTTP/1.1 ${reply.status}`).toBe(recorded.response_status_line.split(' ').slice(0, 2).join(' '));
      expect(reply.body).toBe(recorded.body);
      for (const header of Object.keys(headers)) expect(reply.headers).toHaveProperty(header.toLowerCase());
      expect(reply.headers.date !== undefined).toBe(date !== undefined);
    },
  );
});

/** A row of ss or /proc/net/tcp without its numbers. */
function socketForm(line: string): string {
  return line
    .replace(/^\d+ +\d+ +/, '')
    .replaceAll(/10\.244\.\d+\.\d+|\b\d{4,5}\b/g, 'N')
    .replace(/ +/g, ' ')
    .replace(/^.*:9090 .*$|^.*\]:N .*$/, 'socket')
    .replace(/^ \d+: [0-9A-F]{32}:.*$/, 'row');
}

describe('exec needs get and create', () => {
  const rights = (...verbs: string[]): User => ({
    name: `exec-${verbs.join('-')}-only`,
    token: 't',
    rights: { namespace: 'skew-scaleup', rules: [{ groups: [''], resources: ['pods/exec'], verbs }] },
  });
  const target = { namespace: 'skew-scaleup', name: 'echo-6b9cc657d4-2562j' };
  const recordedBody = (name: string) => fixture<Recorded>(`exec/${name}.json`).body;

  test.each([
    ['get', 'exec-get-only.websocket-GET'],
    ['create', 'exec-create-only.websocket-GET'],
  ])('only %s: refused in the recorded words', (verb, name) => {
    const denial = execDenial(rights(verb), 'GET', target) as Answer;
    expect(denial.status).toBe(403);
    expect(denial.body).toBe(recordedBody(name));
  });

  test('both: granted; a POST needs create only', () => {
    expect(execDenial(rights('get', 'create'), 'GET', target)).toBeNull();
    expect(execDenial(rights('create'), 'POST', target)).toBeNull();
  });

  test('a POST over WebSocket is a bad method', async () => {
    const { lab, pod } = labs['skew-scaleup'] ?? {};
    if (!lab) throw new Error('no lab');
    const path = `/api/v1/namespaces/shop/pods/${pod}/exec?command=ss`;
    const reply = await clientOf(lab, 'admin').upgrade('POST', path, ['v5.channel.k8s.io']);
    const recorded = fixture<Recorded>('exec/exec-create-only.websocket-POST.json');
    expect([reply.status, reply.body]).toEqual([405, recorded.body]);
  });
});
