import { expect, test } from 'vitest';
import { unreachedPort } from '../../src/signals/calls/ask.ts';

const tried = 'error trying to reach service: ';

test.each([
  // As Go words it in kube-apiserver, and as Node.js does in the lab.
  ['read tcp 10.0.0.1:40112->10.8.0.7:9090: read: connection reset by peer', 'the metrics port resets connections'],
  ['connect ECONNRESET 127.1.2.3:9090', 'the metrics port resets connections'],
  ['dial tcp 10.8.0.7:9090: connect: connection refused', 'nothing listens at the metrics port'],
  ['dial tcp 10.8.0.7:9090: i/o timeout', 'the metrics port cannot be reached from the API server'],
])('%s', (words, said) => {
  expect(unreachedPort(tried + words, false)).toBe(said);
});

test('in a mesh a reset is what strict mutual TLS answers to those outside; a refusal is not', () => {
  expect(unreachedPort(`${tried}EOF`, true)).toBe(
    'the metrics port resets connections from outside the mesh (strict mutual TLS?)',
  );
  expect(unreachedPort(`${tried}connection refused`, true)).toBe('nothing listens at the metrics port');
});

test('what is of another kind keeps its words', () => {
  expect(unreachedPort('no answer from https://api within 5 s', true)).toBeNull();
  expect(unreachedPort(`${tried}teapot`, true)).toBeNull();
});
