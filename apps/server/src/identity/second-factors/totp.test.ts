import { describe, expect, it } from 'vitest'
import { codeAt, describeSecret, newSecret, stepOf } from './totp.ts'

/** RFC 6238, appendix B, SHA-1, shortened to six digits. */
const RFC = new TextEncoder().encode('12345678901234567890')

describe('a one-time code', () => {
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ])('at second %i is that of RFC 6238', (second, code) => {
    expect(stepOf(RFC, code, second * 1000)).toBe(Math.floor(second / 30))
  })

  it('is valid in its step and the adjacent ones', () => {
    const at = 1_800_000_000_000
    const secret = newSecret()
    const code = codeAt(describeSecret(secret, '').secret, at)
    for (const offset of [-30, 0, 30]) expect(stepOf(secret, code, at + offset * 1000)).toBe(at / 30_000)
  })

  it('has a secret that apps read from a QR code', () => {
    const { uri, secret } = describeSecret(newSecret(), 'a person@mail.test')
    const { protocol, searchParams, pathname } = new URL(uri)
    expect([protocol, searchParams.get('secret')]).toEqual(['otpauth:', secret])
    expect(decodeURIComponent(pathname)).toContain('Tidenet:a person@mail.test')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  })

  it('is invalid after a minute, with another secret, or if malformed', () => {
    const at = 1_800_000_000_000
    const secret = newSecret()
    const code = codeAt(describeSecret(secret, '').secret, at)
    expect(stepOf(secret, code, at + 60_000)).toBeUndefined()
    expect(stepOf(secret, code, at - 60_000)).toBeUndefined()
    for (const other of ['', '12345', '1234567', 'abcdef']) expect(stepOf(secret, other, at)).toBeUndefined()
  })
})
