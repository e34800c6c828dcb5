import { describe, expect, test } from 'vitest';
import { readDenied } from '../../src/kube/errors/denied.ts';
import { startDeadline } from '../../src/kube/requests/deadline.ts';
import { proxyFor } from '../../src/kube/requests/proxy.ts';
import { parseRequestTimeout } from '../../src/kube/requests/request-timeout.ts';
import { retryAfterMs, sleep } from '../../src/kube/requests/retry-after.ts';
import type { Denied } from '../../src/kube/types.ts';

describe('request timeout', () => {
  test.each([
    ['0', Number.POSITIVE_INFINITY],
    ['0s', Number.POSITIVE_INFINITY],
    ['5', 5000],
    ['1s', 1000],
    ['250ms', 250],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['5.s', 5000],
    ['+5s', 5000],
    ['5µs', 0.005],
    ['5μs', 0.005],
    ['600h', 2_160_000_000],
    ['2160000', 2_160_000_000],
    // Below nothing there is no limit, as in Go.
    ['-5s', Number.POSITIVE_INFINITY],
    // Go counts nanoseconds in 63 bits.
    ['2562047h', 9_223_369_200_000],
    ['2562048h', null],
    ['99999999999999999999', null],
    ['-1', null],
    ['1.5', null],
    ['25d', null],
    ['1e3s', null],
    ['.s', null],
    ['', null],
    ['s', null],
    ['1x', null],
    ['1s ', null],
  ])('%s', (text, ms) => {
    expect(parseRequestTimeout(text)).toBe(ms);
  });
});

describe('a time that is longer than a timer can count', () => {
  test.each([2 ** 31, 2_160_000_000, 1e23, Number.POSITIVE_INFINITY])('%d ms are no limit', async (limitMs) => {
    const deadline = startDeadline(limitMs, new AbortController().signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([deadline.expired(), deadline.signal.aborted]).toEqual([false, false]);
    deadline.clear();
  });

  test('a Retry-After of years does not come at once', async () => {
    const giveUp = new AbortController();
    let isOver = false;
    const slept = sleep(1e12, giveUp.signal).then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isOver).toBe(false);
    giveUp.abort();
    await slept;
  });
});

describe('proxy', () => {
  const proxy = 'http://proxy:3128';
  test.each([
    ['https://api.example:6443', {}, null],
    ['https://api.example:6443', { HTTPS_PROXY: proxy }, proxy],
    ['https://api.example:6443', { https_proxy: 'proxy:3128' }, proxy],
    ['https://api.example:6443', { HTTP_PROXY: proxy }, null],
    ['http://api.example', { HTTP_PROXY: proxy }, proxy],
    ['https://127.0.0.1:6443', { HTTPS_PROXY: proxy }, null],
    ['https://localhost:6443', { HTTPS_PROXY: proxy }, null],
    ['https://[::1]:6443', { HTTPS_PROXY: proxy }, null],
  ])('%s with %o is %s', (server, env, expected) => {
    expect(proxyFor(server, undefined, env)).toBe(expected);
  });

  test('proxy-url beats the environment', () => {
    expect(proxyFor('https://localhost', 'socks5://p:1', { HTTPS_PROXY: proxy })).toBe('socks5://p:1');
  });

  test.each([
    ['https://api.example:6443', '*', true],
    ['https://api.example:6443', 'other, api.example', true],
    ['https://api.example:6443', 'example', true],
    ['https://api.example:6443', '.example', true],
    ['https://api.example:6443', '*.example', true],
    ['https://example:6443', '.example', false],
    ['https://api.example:6443', 'pi.example', false],
    ['https://api.example:6443', 'api.example:6443', true],
    ['https://api.example:6443', 'api.example:443', false],
    ['https://api.example', 'api.example:443', true],
    ['https://API.example', 'api.EXAMPLE', true],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '10.1.2', false],
    ['https://[fd00::5]', 'fd00::/8', true],
    ['https://[fd00::5]', '[fd00::5]', true],
    ['https://10.1.2.3', 'fd00::/8', false],
    ['https://10.1.2.3', '10.0.0.0/99, /, x/8', false],
  ])('%s with NO_PROXY=%s goes directly: %s', (server, noProxy, direct) => {
    expect(proxyFor(server, undefined, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }) === null).toBe(direct);
  });
});

describe('Retry-After', () => {
  test.each([
    [429, '3', 3000],
    [503, '0', 0],
    [403, '3', null],
    [429, undefined, null],
    [429, 'soon', null],
    [429, 'Sun, 29 Nov 2020 15:44:00 GMT', 0],
  ])('%s %s', (status, header, ms) => {
    expect(retryAfterMs(status, header)).toBe(ms);
  });

  test('a date', () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
    expect(retryAfterMs(429, inTenSeconds)).toBeGreaterThan(8000);
  });
});

describe('what a refusal says, read once', () => {
  test.each<readonly [string, Denied | null]>([
    [
      'pods "echo-1" is forbidden: User "jo" cannot get resource "pods/exec" in API group "" in the namespace "shop"',
      { verb: 'get', resource: 'pods/exec', name: 'echo-1', namespace: 'shop' },
    ],
    [
      'deployments.apps is forbidden: User "jo" cannot list resource "deployments" in API group "apps" at the cluster scope',
      { verb: 'list', resource: 'deployments.apps', name: null, namespace: null },
    ],
    [
      'forbidden: User "jo" cannot get path "/metrics"',
      { verb: 'get', resource: '/metrics', name: null, namespace: null },
    ],
    ['pods "echo-1" is forbidden: ', { verb: 'create', resource: 'pods/exec', name: 'echo-1', namespace: null }],
    [
      'admission webhook "no-exec.corp" denied the request: ask first',
      { verb: null, resource: null, name: null, namespace: null, webhook: 'no-exec.corp' },
    ],
    ['pods "x" is forbidden: exceeded quota: requests.cpu', null],
  ])('%s', (message, denied) => {
    expect(readDenied(message)).toEqual(denied);
  });
});
