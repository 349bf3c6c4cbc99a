import { expect, it } from 'vitest'
import { createQueryLimiter, networkOf } from './dns-rate.ts'

it('counts neighbours as one network', () => {
  for (const [one, other] of [
    ['192.0.2.1', '192.0.2.254'],
    ['2001:db8:1:200::1', '2001:db8:1:2ff:9::'],
    ['::ffff:192.0.2.1', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::2'],
  ] as const)
    expect(networkOf(one)).toBe(networkOf(other))
  for (const [one, other] of [
    ['192.0.2.1', '192.0.3.1'],
    ['2001:db8:1:200::1', '2001:db8:1:300::1'],
    ['2001:db8::', '2001:db8:1::'],
  ] as const)
    expect(networkOf(one)).not.toBe(networkOf(other))
})

it('lets a network continue after a while, and others at any time', () => {
  let now = 0
  const limit = createQueryLimiter({ perSecond: 2, burst: 3 }, () => now)
  const verdicts = (count: number, address = '192.0.2.1') => Array.from({ length: count }, () => limit(address))
  expect(verdicts(6)).toEqual(['answer', 'answer', 'answer', 'drop', 'truncate', 'drop'])
  expect(limit('198.51.100.1')).toBe('answer')
  now = 1000
  expect(verdicts(3)).toEqual(['answer', 'answer', 'truncate'])
})

it('remembers only so many networks of a flood with invented senders', () => {
  const limit = createQueryLimiter({ perSecond: 1, burst: 1 }, () => 0)
  expect(limit('10.0.0.1')).toBe('answer')
  expect(limit('10.0.0.1')).toBe('drop')
  for (let network = 0; network < 20_000; network++) limit(`172.${network >> 8}.${network & 255}.1`)
  expect(limit('10.0.0.1')).toBe('answer')
})
