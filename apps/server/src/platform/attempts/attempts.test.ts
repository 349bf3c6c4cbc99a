import { describe, expect, it } from 'vitest'
import { clientNetworkOf, oneAtATime } from './attempts.ts'

describe('clientNetworkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('maps %s to %s', (ip, network) => {
    expect(clientNetworkOf(ip)).toBe(network)
  })
})

describe('oneAtATime', () => {
  it('runs functions of one key one after the other, also after a failure', async () => {
    const events: string[] = []
    const step =
      (name: string, fails = false) =>
      async () => {
        events.push(`${name} starts`)
        await Promise.resolve()
        events.push(`${name} ends`)
        if (fails) throw new Error(name)
      }
    await Promise.allSettled([oneAtATime('a', step('first', true)), oneAtATime('a', step('second'))])
    expect(events).toEqual(['first starts', 'first ends', 'second starts', 'second ends'])
  })
})
