import { describe, expect, it } from 'vitest'
import { clearUrlCredentials, storeUrlCredentials, urlCredentials } from './url-credentials.ts'

function takeUrlCredentials() {
  const taken = urlCredentials()
  clearUrlCredentials()
  return taken
}

describe('credentials in the URL of the console', () => {
  it('reads account and console token, under either name, once', () => {
    for (const name of ['password', 'ticket']) {
      expect(storeUrlCredentials(`?account=tide1abc&${name}=tnt_x-Y_z`)).toBe(true)
      expect(takeUrlCredentials()).toEqual({ account: 'tide1abc', consoleToken: 'tnt_x-Y_z', password: '' })
      expect(takeUrlCredentials()).toBeUndefined()
    }
  })

  it('reads a password, which does not sign in by itself', () => {
    expect(storeUrlCredentials('?account=tide1abc&password=aB3%40%5B%5D%7B%7Dxyz')).toBe(true)
    expect(takeUrlCredentials()).toEqual({ account: 'tide1abc', consoleToken: '', password: 'aB3@[]{}xyz' })
  })

  it('decodes special characters', () => {
    storeUrlCredentials('?account=1234&password=%2B12+3')
    expect(takeUrlCredentials()).toEqual({ account: '1234', consoleToken: '', password: '+12 3' })
  })

  it('returns nothing for a URL without credentials', () => {
    for (const search of ['', '?', '?next=%2Fconsole', '?account=&password='])
      expect([storeUrlCredentials(search), takeUrlCredentials()]).toEqual([false, undefined])
  })
})
