import { expect, it } from 'vitest'
import { nodeNetworkOf, wideNetworkOf } from './network.ts'

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:7::1', '2001:db8:7::/48'],
  ['2001:0db8:0007:ffff::1', '2001:db8:7::/48'],
  ['127.3.4.1', '127.3.4.0/24'],
  ['127.0.0.1', '127.0.0.1:80'],
  ['::1', '::1:80'],
])('the network of a node at %s is %s', (ip, network) => {
  expect(nodeNetworkOf(ip, '80')).toBe(network)
})

it.each([
  ['2001:db8:7::/48', '2001:db8::/32'],
  ['2001:db8:0::/48', '2001:db8::/32'],
  ['203.0.113.0/24', undefined],
  ['::1:80', undefined],
  ['127.0.0.1:80', undefined],
  ['c_node', undefined],
])('the wide network of %s is %s', (network, wide) => {
  expect(wideNetworkOf(network)).toBe(wide)
})
