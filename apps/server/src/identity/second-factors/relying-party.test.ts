import { describe, expect, it } from 'vitest'
import { relyingPartyOf } from './relying-party.ts'

describe('the relying party of a portal', () => {
  it.each([
    ['https://portal.example', 'portal.example', 'https://portal.example'],
    ['https://portal.example:8443', 'portal.example', 'https://portal.example:8443'],
    ['http://127.0.0.1:8090', 'localhost', 'http://localhost:8090'],
    ['http://[::1]:8090', 'localhost', 'http://localhost:8090'],
    ['http://localhost', 'localhost', 'http://localhost'],
  ])('at %s is %s', (url, id, origin) => {
    expect(relyingPartyOf(url)).toEqual({ id, origins: [origin] })
  })

  it('does not exist at a public IP address', () => {
    for (const url of ['https://203.0.113.7', 'http://10.0.0.1:8090', 'https://[2001:db8::1]'])
      expect(relyingPartyOf(url)).toBeUndefined()
  })
})
