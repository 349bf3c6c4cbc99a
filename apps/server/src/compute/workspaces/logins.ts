import type { Db } from '../../platform/db/db.ts'
import type { Keys } from '../../platform/keys.ts'
import { seal, unseal } from '../../platform/seal.ts'
import type { RegistryLogin } from '../clusters/driver.ts'
import { findLogin, type RegistryRow } from './registries-repository.ts'

const ownerOf = (userId: number, host: string): string => `registry ${userId} ${host}`

/** @throws Error if the login was encrypted with another secret */
export function openLogin(keys: Pick<Keys, 'console'>, userId: number, { host, sealed }: RegistryRow): RegistryLogin {
  const text = unseal(keys.console, sealed, ownerOf(userId, host))
  if (!text) throw new Error(`the login at ${host} was encrypted with another secret`)
  return JSON.parse(text.toString()) as RegistryLogin
}

/** The login of an account for an image, if it has one at the image's registry. */
export async function loginFor(
  { db, keys }: { db: Db; keys: Pick<Keys, 'console'> },
  userId: number,
  image: string,
): Promise<RegistryLogin | undefined> {
  const row = await findLogin(db, userId, image.split('/')[0] ?? '')
  return row && openLogin(keys, userId, row)
}

/** Encrypted, and bound to account and host. */
export const sealLogin = (keys: Pick<Keys, 'console'>, userId: number, host: string, login: RegistryLogin): Buffer =>
  seal(keys.console, Buffer.from(JSON.stringify(login)), ownerOf(userId, host))
