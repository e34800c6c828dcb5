import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bridgeOf,
  isCloudLoadBalancer,
  isLoopback,
  isPrivate,
  likelyBridgeOf,
  widerNetworkOf,
} from '../../src/facts/peers/addresses.ts';

test.each([
  ['127.0.0.1', true, true],
  ['127.255.0.6', true, true],
  ['::1', true, true],
  ['10.1.2.3', false, true],
  ['172.15.255.255', false, false],
  ['172.16.0.0', false, true],
  ['172.31.255.255', false, true],
  ['172.32.0.0', false, false],
  ['192.168.7.7', false, true],
  ['100.63.255.255', false, false],
  ['100.64.0.0', false, true],
  ['100.127.255.255', false, true],
  ['100.128.0.0', false, false],
  ['169.254.1.1', false, true],
  ['fd12::7', false, true],
  ['fe80::7', false, true],
  ['2001:4860::8888', false, false],
  ['8.8.8.8', false, false],
  ['::ffff:10.0.0.1', false, true],
  // No addresses, and names that begin like one.
  ['10', false, false],
  ['127.example.com', false, false],
  ['fda.example', false, false],
  ['', false, false],
])('%s: loopback %s, inside a network of ours %s', (address, loopback, ours) => {
  expect([isLoopback(address), isPrivate(address)]).toEqual([loopback, ours]);
});

test.each([
  ['35.191.255.255', true],
  ['35.192.0.0', false],
  ['130.211.3.255', true],
  ['130.211.4.0', false],
  ['2600:1901::1', false],
  ['130.211.3.example', false],
])('%s is of a load balancer of Google: %s', (address, is) => {
  expect(isCloudLoadBalancer(address)).toBe(is);
});

test.each([
  ['10.244.1.0/24', '10.244.1.1'],
  ['10.244.1.128/25', '10.244.1.129'],
  // Written with an address inside the network.
  ['10.244.1.77/24', '10.244.1.1'],
  ['fd00:10:244:1::/64', 'fd00:10:244:1::1'],
  ['FD00:0010::/80', 'fd00:10::1'],
  ['10.244.1.0', null],
  ['10.244.1.0/33', null],
  ['words', null],
])('the bridge of %s is %s', (cidr, bridge) => {
  expect(bridgeOf(cidr)).toBe(bridge);
});

test('without the network of its node, the bridge of a pod is in its /24 or /64', () => {
  expect(likelyBridgeOf('10.244.1.9')).toBe('10.244.1.1');
  expect(likelyBridgeOf('fd00:10:244:1::9')).toBe('fd00:10:244:1::1');
  expect(likelyBridgeOf('words')).toBeNull();
});

test('two addresses share a wider network by their /16 or /56', () => {
  expect(widerNetworkOf('54.1.2.3')).toBe(widerNetworkOf('54.1.200.1'));
  expect(widerNetworkOf('54.1.2.3')).not.toBe(widerNetworkOf('54.2.2.3'));
  expect(widerNetworkOf('2600:1f14:1:aa01::1')).toBe(widerNetworkOf('2600:1f14:1:aaff::9'));
  expect(widerNetworkOf('2600:1f14:1:aa01::1')).not.toBe(widerNetworkOf('2600:1f14:1:ab01::1'));
  expect(widerNetworkOf('54.1.example')).toBeNull();
});

test('no text makes them fail', () => {
  const text = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.ipV4Extended());
  const questions = [isLoopback, isPrivate, isCloudLoadBalancer, bridgeOf, likelyBridgeOf, widerNetworkOf];
  fc.assert(
    fc.property(text, fc.nat(130), (address, bits) => {
      for (const question of questions) for (const asked of [address, `${address}/${bits}`]) question(asked);
    }),
  );
});
