import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { seal, unseal } from './seal.ts'

const key = randomBytes(32)
const secret = Buffer.from('tide')

describe('seal', () => {
  it('decrypts with the same key and owner, and uses a random nonce', () => {
    const [first, second] = [seal(key, secret, 'user 1'), seal(key, secret, 'user 1')]
    expect(unseal(key, first, 'user 1')).toEqual(secret)
    expect(unseal(key, second, 'user 1')).toEqual(secret)
    expect(first).not.toEqual(second)
    expect(first.includes(secret)).toBe(false)
  })

  it('does not decrypt for another owner or key, or if changed, truncated or empty', () => {
    const sealed = seal(key, secret, 'user 1')
    const changed = Buffer.from(sealed)
    changed[sealed.length - 1] = (changed[sealed.length - 1] as number) ^ 1
    expect(unseal(key, sealed, 'user 2')).toBeUndefined()
    expect(unseal(randomBytes(32), sealed, 'user 1')).toBeUndefined()
    for (const broken of [changed, sealed.subarray(0, 20), Buffer.alloc(0)])
      expect(unseal(key, broken, 'user 1')).toBeUndefined()
  })
})
