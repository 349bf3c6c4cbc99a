import { expect, test } from 'vitest'
import { seal, unseal } from './vault.ts'

test('decrypts with the password in any Unicode normalization form', async () => {
  const sealed = await seal('twelve words', 'Ångström-hafen', 'tide1a')
  expect(await unseal(sealed, 'Ångström-hafen'.normalize('NFD'), 'tide1a')).toBe('twelve words')
})

test('encrypts the same secret differently each time', async () => {
  const [one, other] = [await seal('words', 'password-1', 'a'), await seal('words', 'password-1', 'a')]
  expect([...new Uint8Array(one.bytes)]).not.toEqual([...new Uint8Array(other.bytes)])
})

test('rejects another password, another wallet and modified bytes', async () => {
  const sealed = await seal('twelve words', 'password-1', 'tide1a')
  await expect(unseal(sealed, 'password-2', 'tide1a')).rejects.toMatchObject({ problem: 'wrongPassword' })
  await expect(unseal(sealed, 'password-1', 'tide1b')).rejects.toMatchObject({ problem: 'wrongPassword' })
  const bytes = new Uint8Array(sealed.bytes.slice(0))
  bytes[0]! ^= 1
  await expect(unseal({ ...sealed, bytes: bytes.buffer }, 'password-1', 'tide1a')).rejects.toMatchObject({
    problem: 'wrongPassword',
  })
})
