import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureStatus, json } from '../../src/lab/api/answer.ts';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import { clientOf, fixture, type LabClient, podNames } from './lab-client.ts';

interface Refusal {
  readonly request: string;
  readonly as: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

let lab: Lab;
let admin: LabClient;
let pod: string;

beforeAll(async () => {
  lab = await startLab({ scenario: 'scale-up' });
  admin = clientOf(lab, 'admin');
  [pod = ''] = await podNames(admin, lab, 'echo');
});

afterAll(() => lab.stop());

const users: Readonly<Record<string, string>> = {
  admin: 'admin',
  viewer: 'viewer',
  'no credentials': 'anonymous',
  'a wrong bearer token': 'not-a-token',
};

// A recording of a lack: here the lab does have what was missing.
const requestOf: Readonly<Record<string, string>> = {
  'group-missing-404.json': 'GET /apis/external.metrics.k8s.io/v1beta1',
};

describe('refusals are those of a real cluster, word by word', () => {
  test.each(readdirSync(new URL('fixtures/refusals', import.meta.url)))('%s', async (name) => {
    const ip = await addressOf(pod);
    const inLab = (text: string) =>
      text
        .replaceAll('skew-scaleup', 'shop')
        .replaceAll('echo-6b9cc657d4-2562j', pod)
        .replaceAll(/\bkubelab\b/g, 'lab-1')
        .replaceAll('10.244.0.117', ip);
    const recorded = JSON.parse(inLab(JSON.stringify(fixture(`refusals/${name}`)))) as Refusal;
    const [method = '', path = ''] = (requestOf[name] ?? recorded.request).split(' ');
    const reply = await clientOf(lab, users[recorded.as] ?? '').send(method, path);
    expect(reply.status).toBe(recorded.status);
    const isJson = recorded.headers['Content-Type'] === 'application/json';
    expect(isJson ? JSON.parse(reply.body) : reply.body).toEqual(recorded.body);
    expect(reply.headers['content-type']).toBe(recorded.headers['Content-Type']);
    expect(reply.headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(Date.parse(reply.headers.date ?? '')).toBeGreaterThan(Date.now() - 5000);
    const text = isJson ? `${JSON.stringify(recorded.body)}\n` : String(recorded.body);
    expect(reply.headers['content-length']).toBe(String(text.length));
  });

  async function addressOf(name: string): Promise<string> {
    const { status } = await admin.json(`/api/v1/namespaces/shop/pods/${name}`);
    return (status as { podIP: string }).podIP;
  }
});

describe('lists', () => {
  interface List {
    readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  }
  const list = async (query: string) => (await admin.json(`/api/v1/namespaces/shop/pods?${query}`)) as unknown as List;

  test('come in pages that together are the whole', async () => {
    const whole = await list('');
    const names: string[] = [];
    let token = '';
    let remaining: number | undefined = 14;
    do {
      const page: List = await list(`limit=5&continue=${token}`);
      names.push(...page.items.map(({ metadata }) => metadata.name));
      expect(page.metadata.remainingItemCount).toBe(remaining > 5 ? remaining - 5 : undefined);
      remaining -= 5;
      token = page.metadata.continue ?? '';
    } while (token !== '');
    expect(names).toEqual(whole.items.map(({ metadata }) => metadata.name));
    expect(names).toHaveLength(14);
  });

  test('refuse a token from before the oldest version, and one that is none', async () => {
    const old = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: 'shop/a' })).toString('base64url');
    const gone = await admin.get(`/api/v1/namespaces/shop/pods?limit=5&continue=${old}`);
    expect(gone.status).toBe(410);
    expect(JSON.parse(gone.body)).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 });
    expect((await admin.get('/api/v1/pods?limit=5&continue=nonsense')).status).toBe(400);
  });

  test.each([
    ['labelSelector=app%3Decho', 10],
    ['labelSelector=app%21%3Decho', 4],
    ['labelSelector=app%20in%20(echo,client),variant', 10],
    ['labelSelector=app%20notin%20(echo)', 4],
    ['labelSelector=%21variant', 4],
    ['fieldSelector=status.phase%3DRunning', 14],
    ['fieldSelector=spec.nodeName%3Dlab-1,status.phase%21%3DRunning', 0],
    ['fieldSelector=spec.nodeName%3Dlab-1', 8],
  ])('select: %s', async (query, expected) => {
    expect((await list(query)).items).toHaveLength(expected);
  });

  test('refuse selectors that are none', async () => {
    expect((await admin.get('/api/v1/pods?labelSelector=%3D%3D')).status).toBe(400);
    expect((await admin.get('/api/v1/pods?fieldSelector=spec.color%3Dred')).status).toBe(400);
  });
});

describe('faults', () => {
  const path = '/api/v1/namespaces/shop/services/echo';

  test('answer so many times, then no more', async () => {
    lab.faults.inject({ request: /services\/echo/, times: 2, answer: failureStatus(500, 'InternalError', 'made up') });
    const statuses = [await admin.get(path), await admin.get(path), await admin.get(path)].map(({ status }) => status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test('carry headers, and cut connections', async () => {
    const answer = { ...failureStatus(429, 'TooManyRequests', 'slow down'), headers: { 'Retry-After': '1' } };
    lab.faults.inject({ request: /^GET .*services\/echo/, answer });
    expect((await admin.get(path)).headers['retry-after']).toBe('1');
    lab.faults.inject({ request: /services\/echo/, close: 'before' });
    await expect(admin.get(path)).rejects.toThrow(/hang up|ECONNRESET/);
    lab.faults.inject({ request: /services\/echo/, close: 'midway', answer: json({ kind: 'Service' }) });
    await expect(admin.get(path)).rejects.toThrow(/aborted|ECONNRESET/);
  });

  test('meet an upgrade too', async () => {
    lab.faults.inject({
      request: /\/exec\?/,
      answer: failureStatus(403, 'Forbidden', 'admission webhook "x" denied it'),
    });
    const reply = await admin.upgrade('GET', `/api/v1/namespaces/shop/pods/${pod}/exec?command=ss`, [
      'v5.channel.k8s.io',
    ]);
    expect([reply.status, JSON.parse(reply.body).message]).toEqual([403, 'admission webhook "x" denied it']);
  });
});

test('requests are logged with user, status and subprotocol', async () => {
  const before = lab.requests.length;
  await clientOf(lab, 'viewer').get('/api/v1/nodes');
  await admin.upgrade('GET', `/api/v1/namespaces/shop/pods/${pod}/exec?command=ss`, ['v4.channel.k8s.io']);
  expect(lab.requests.slice(before)).toEqual([
    { method: 'GET', path: '/api/v1/nodes', user: 'viewer', status: 403 },
    {
      method: 'GET',
      path: `/api/v1/namespaces/shop/pods/${pod}/exec?command=ss`,
      user: 'admin',
      status: 101,
      subprotocol: 'v4.channel.k8s.io',
    },
  ]);
});
