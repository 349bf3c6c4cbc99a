import type { AppError } from '@tidenet/contract'
import { describe, expect, it } from 'vitest'
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts'

const refusalOf = (password: string) => {
  try {
    checkPassword(password)
    return undefined
  } catch (error) {
    return (error as AppError).key
  }
}

describe('a password', () => {
  it.each(['tide-Net9', 'x7Kq-2pL', '!!tide~~Net9', 'correcthorse'])('may be %s', (password) => {
    expect(refusalOf(password)).toBeUndefined()
  })

  it('matches only its own hash', async () => {
    const stored = await hashPassword('tide-Net9')
    expect(await verifyPassword(stored, 'tide-Net9')).toBe(true)
    expect(await verifyPassword(stored, 'tide-Net8')).toBe(false)
    expect(await verifyPassword(null, 'tide-Net9')).toBe(false)
    expect(await hashPassword('tide-Net9')).not.toBe(stored)
  })
})

describe('a password is refused', () => {
  it.each([
    ['passwordLength', ['', 'seven-7', 'thirteen-1234']],
    ['passwordCharacters', ['tide Net9', 'tide-Net9\t', '密码tideNet', 'naïve-Net9', 'tide\u007fNet9']],
    [
      'passwordWeak',
      ['12345678', 'Password1', 'P@ssw0rd', 'aaaaaaaa', 'abababab', 'abcdefghijk', '87654321', 'qq123456'],
    ],
  ] as const)('as %s', (key, passwords) => {
    for (const password of passwords) expect([password, refusalOf(password)]).toEqual([password, key])
  })
})
