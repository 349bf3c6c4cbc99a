import { describe, expect, it } from 'vitest'
import { placeOf } from './place.ts'

describe('a place', () => {
  it.each([
    ['127.0.0.1', 'machine', ''],
    ['::1', 'machine', ''],
    ['::ffff:127.0.0.1', 'machine', ''],
    ['10.1.2.3', 'local', '10.1.2.x'],
    ['172.20.0.9', 'local', '172.20.0.x'],
    ['172.32.0.9', 'public', '172.32.0.x'],
    ['203.0.113.7', 'public', '203.0.113.x'],
    ['::ffff:203.0.113.7', 'public', '203.0.113.x'],
    ['2001:db8:1:2:3::9', 'public', '2001:db8:1::'],
    ['fd00:1:2::9', 'local', 'fd00:1:2::'],
    ['', 'unknown', ''],
    ['not an address', 'unknown', ''],
  ])('of %j is %s %s', (ip, kind, network) => {
    expect(placeOf(ip)).toEqual({ kind, network })
  })
})
