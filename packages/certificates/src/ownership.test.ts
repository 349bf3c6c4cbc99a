import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startDnsTable } from './dns-table.fixture.ts'
import { createDomainResolver, type DomainResolver, pointsHere, verifyDomain } from './ownership.ts'

const domain = 'shop.example.org'
const target = 'web-1.apps.example.com'
const addresses = ['192.0.2.1', '2001:db8::1']
const token = 'token-of-the-owner'

let table: Awaited<ReturnType<typeof startDnsTable>>
let resolver: DomainResolver
beforeAll(async () => {
  table = await startDnsTable()
  resolver = createDomainResolver([table.server])
})
beforeEach(() => {
  table.set()
  table.broken.clear()
})
afterAll(() => table.close())

const A = (name: string, data: string) => ({ type: 'A' as const, name, data })
const AAAA = (name: string, data: string) => ({ type: 'AAAA' as const, name, data })
const CNAME = (name: string, data: string) => ({ type: 'CNAME' as const, name, data })
const TXT = (name: string, data: string | string[]) => ({ type: 'TXT' as const, name, data })
const CAA = (name: string, value: string) => ({
  type: 'CAA' as const,
  name,
  data: { flags: 0, tag: 'issue' as const, value },
})

describe('a domain points here', () => {
  const ask = (issuers?: string[]) => pointsHere({ domain, addresses, resolver, ...(issuers && { issuers }) })

  it('if all its addresses are ours, also over an alias', async () => {
    table.set(A(domain, '192.0.2.1'))
    expect(await ask()).toEqual({ isHere: true })
    table.set(CNAME(domain, target), A(target, '192.0.2.1'), AAAA(target, '2001:db8:0:0::1'))
    expect(await ask()).toEqual({ isHere: true })
  })

  it('not if one is elsewhere, or there is none', async () => {
    expect(await ask()).toMatchObject({ isHere: false, code: 'not-pointing-here' })
    table.set(A(domain, '192.0.2.1'), AAAA(domain, '2001:db8::bad'))
    expect(await ask()).toMatchObject({
      isHere: false,
      code: 'not-pointing-here',
      detail: expect.stringContaining('2001:db8::bad'),
    })
  })

  it('not if its CAA records forbid our CA', async () => {
    table.set(A(domain, '192.0.2.1'), CAA('example.org', 'ca.example; accounturi=x'))
    expect(await ask(['ca.example'])).toEqual({ isHere: true })
    expect(await ask(['other.example'])).toMatchObject({ isHere: false, code: 'caa' })
    table.set(A(domain, '192.0.2.1'), CAA('example.org', ';'))
    expect(await ask(['ca.example'])).toMatchObject({ isHere: false, code: 'caa' })
  })

  it('is unknown while its name servers fail', async () => {
    table.broken.add(domain)
    expect(await ask()).toMatchObject({ isHere: false, code: 'unresolvable' })
  })
})

describe('a domain belongs to the owner of a program', () => {
  const verify = (over = {}) =>
    verifyDomain({ domain, targets: ['web-1-80.apps.example.com', target], token, resolver, ...over })

  it('if it is an alias of the program, also over others', async () => {
    table.set(CNAME(domain, 'Web-1.Apps.Example.com'))
    expect(await verify()).toEqual({ isVerified: true, by: 'cname' })
    table.set(CNAME(domain, 'alias.example.net'), CNAME('alias.example.net', target))
    expect(await verify()).toEqual({ isVerified: true, by: 'cname' })
  })

  it('if its text is their token, also among others and in parts', async () => {
    table.set(TXT(`_tidenet.${domain}`, 'other'), TXT(`_tidenet.${domain}`, [token.slice(0, 5), token.slice(5)]))
    expect(await verify()).toEqual({ isVerified: true, by: 'txt' })
  })

  it('not if it is an alias of another program, has their address only, or has the token elsewhere', async () => {
    table.set(CNAME(domain, 'web-2.apps.example.com'), A('web-2.apps.example.com', '192.0.2.1'))
    expect(await verify()).toMatchObject({ isVerified: false, code: 'not-verified' })
    table.set(A(domain, '192.0.2.1'), TXT(domain, token), TXT('_tidenet.example.org', token))
    expect(await verify()).toMatchObject({ isVerified: false, code: 'not-verified' })
    table.set(TXT(`_tidenet.${domain}`, ''))
    expect(await verify({ token: '' })).toMatchObject({ isVerified: false })
  })

  it('not in a loop of aliases', async () => {
    table.set(CNAME(domain, 'b.example.org'), CNAME('b.example.org', domain))
    expect(await verify()).toMatchObject({ isVerified: false })
  })
})
