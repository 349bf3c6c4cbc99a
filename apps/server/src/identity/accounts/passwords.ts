import { randomBytes } from 'node:crypto'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { AppError, PASSWORD_MAX, PASSWORD_MIN } from '@tidenet/contract'
import { isCommonPassword } from './common-passwords.ts'

/** OWASP's parameters for argon2id: 19 MiB, two iterations, one lane. */
const COST = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** @throws AppError passwordCharacters, passwordLength or passwordWeak, the first that applies */
export function checkPassword(password: string): void {
  if (!/^[\x21-\x7e]*$/.test(password)) throw new AppError('passwordCharacters')
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX)
    throw new AppError('passwordLength', { min: PASSWORD_MIN, max: PASSWORD_MAX })
  if (isCommonPassword(password)) throw new AppError('passwordWeak')
}

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

let dummyHash: Promise<string> | undefined

/** Without a stored hash, takes the same time, so callers cannot find out which accounts exist. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword(randomBytes(16).toString('hex'))
  const correct = await verify(stored ?? (await dummyHash), password)
  return correct && stored !== null
}
