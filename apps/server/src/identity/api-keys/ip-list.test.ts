import { AppError, KEY_IPS_MAX } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { admits, coarseAddress, readIps } from './ip-list.ts'

describe('a list of IP addresses', () => {
  it.each([
    [['203.0.113.7'], ['203.0.113.7']],
    [['203.0.113.7/24', '203.0.113.0/24'], ['203.0.113.0/24']],
    [['10.1.2.3/9'], ['10.0.0.0/9']],
    [['0.0.0.0/0'], ['0.0.0.0/0']],
    [['2001:DB8:0:0::1'], ['2001:db8::1']],
    [['2001:db8:ffff::/33'], ['2001:db8:8000::/33']],
    [['::/0'], ['::/0']],
    [[' 198.51.100.1/32 '], ['198.51.100.1']],
  ])('keeps %j in its canonical form', (texts, kept) => {
    expect(readIps(texts)).toEqual(kept)
  })

  it.each([
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.7', '::ffff:203.0.113.7', true],
    ['203.0.113.7', '::FFFF:203.0.113.8', false],
    ['2001:db8::/32', '2001:db8:1::9', true],
    ['2001:db8::/32', '2001:db9::', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '203.0.113.7', false],
    ['203.0.113.7', 'unknown', false],
  ])('%s, for %s: %s', (entry, ip, admitted) => {
    expect(admits(readIps([entry]), ip)).toBe(admitted)
  })

  it('admits every address if it is empty', () => {
    expect(admits([], '203.0.113.7')).toBe(true)
  })

  it.each([
    '',
    'example.com',
    '203.0.113',
    '203.0.113.7/33',
    '203.0.113.7/',
    '1.2.3.4/8/8',
    '1.2.3.4/-1',
    '::1%lo',
    '::/129',
    '1.2.3.4/1e1',
  ])('refuses %j', (text) => {
    expect(() => readIps([text])).toThrow(AppError)
  })

  it('refuses more entries than a key can have', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index}.0/24`)
    expect(readIps(many(KEY_IPS_MAX))).toHaveLength(KEY_IPS_MAX)
    expect(() => readIps(many(KEY_IPS_MAX + 1))).toThrow(AppError)
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.x'],
    ['::ffff:203.0.113.7', '203.0.113.x'],
    ['2001:db8:1:2:3::4', '2001:db8:1::'],
    ['fe80::1%eth0', 'fe80::'],
    ['nowhere', ''],
  ])('of %s is %s', (ip, network) => {
    expect(coarseAddress(ip)).toBe(network)
  })
})
