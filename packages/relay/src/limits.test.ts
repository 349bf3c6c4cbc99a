import { expect, it } from 'vitest'
import { createPlaces, createRate } from './limits.ts'

it('an address connects so often a second, and all of an IPv6 /48 ten times as often', () => {
  let now = 5000
  const mayConnect = createRate(2, () => now)
  const from = (...addresses: string[]) => addresses.map(mayConnect)
  expect(from('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2')).toEqual([true, true, false, true])
  const prefixes = Array.from({ length: 25 }, (_, at) => `2001:db8:0:${at.toString(16)}::1`)
  expect(from(...prefixes).filter(Boolean)).toHaveLength(20)
  expect(from('2001:db8:1::1')).toEqual([true])
  now += 1000
  expect(from('192.0.2.1', prefixes[24] as string)).toEqual([true, true])
})

it('a network has so many connections at a time, from all its addresses', () => {
  const take = createPlaces(2)
  const [first, second] = [take('2001:db8::1'), take('2001:db8:0:ffff::1')]
  expect([first, second, take('2001:db8:0:1::1'), take('2001:db8:1::1')].map((each) => each !== undefined)).toEqual([
    true,
    true,
    false,
    true,
  ])
  first?.()
  expect(take('2001:db8:0:1::1')).toBeDefined()
  expect(take('2001:db8:0:1::1')).toBeUndefined()
})
