import { expect, it } from 'vitest'
import { isCertificateName, registeredDomainOf, toHostname } from './hostnames.ts'

it('reads domains as people type them', () => {
  expect(toHostname('Shop.Example.ORG')).toBe('shop.example.org')
  expect(toHostname('münchen.example.org')).toBe('xn--mnchen-3ya.example.org')
  expect(toHostname('例子.测试')).toBe('xn--fsqu00a.xn--0zwm56d')
  // The dot of Chinese keyboards.
  expect(toHostname('shop。example。org')).toBe('shop.example.org')
})

it('knows the registered domain', () => {
  expect(registeredDomainOf('a.b.example.co.uk')).toBe('example.co.uk')
  expect(registeredDomainOf('*.apps.example.com')).toBe('example.com')
  expect(registeredDomainOf('a.user.github.io')).toBe('user.github.io')
  expect(registeredDomainOf('a.example.test')).toBe('example.test')
})

it('refuses what is no domain of a customer', () => {
  const long = `${Array.from({ length: 4 }, () => 'a'.repeat(63)).join('.')}.org`
  for (const text of [
    ...[
      '',
      'localhost',
      'org',
      'co.uk',
      'github.io',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '1.2.3.4.5',
      '[::1]',
      '::1',
      '2001:db8::1',
    ],
    ...[
      '*.example.org',
      'example.org.',
      '.example.org',
      'a..example.org',
      '-a.example.org',
      'a-.example.org',
      'a_b.example.org',
    ],
    ...[
      'example.org/path',
      'https://example.org',
      'example.org:443',
      'user@example.org',
      'a b.org',
      'a%2eb.org',
      'a\0b.org',
      'a\nb.org',
    ],
    ...[`${'a'.repeat(64)}.org`, long, 'xn--a.example.org', 'example.1', 'a,b.org', "a'b.org"],
  ])
    expect(toHostname(text), JSON.stringify(text)).toBeUndefined()
})

it('allows wildcards in certificates only as the first label', () => {
  expect(isCertificateName('*.apps.example.com')).toBe(true)
  for (const name of ['*', '*.com', '*.*.example.com', 'a.*.example.com', '*a.example.com', '*.127.0.0.1'])
    expect(isCertificateName(name), name).toBe(false)
})
