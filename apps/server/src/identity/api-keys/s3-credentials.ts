import { createHmac, randomInt } from 'node:crypto'
import { seal, unseal } from '../../platform/seal.ts'
import type { Context, Db } from '../context.ts'
import { findSealedSecret, insertCredential } from './s3-repository.ts'

type Deps = Pick<Context, 'keys'>

const DIGITS_AND_CAPITALS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LETTERS_AND_DIGITS = `${DIGITS_AND_CAPITALS}abcdefghijklmnopqrstuvwxyz`

/** Unbiased: `randomInt` draws again instead of taking a remainder. */
const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

/** What S3 clients are configured with. Empty texts: none. */
export interface S3Credential {
  access_key_id: string
  secret_access_key: string
}

export const NO_CREDENTIAL: S3Credential = { access_key_id: '', secret_access_key: '' }

/** Makes the access key of an API key. Its secret cannot be read again by people. */
export async function createCredential({ keys }: Deps, tx: Db, keyId: number, at: Date): Promise<S3Credential> {
  const access_key_id = `TN${randomText(DIGITS_AND_CAPITALS, 18)}`
  const secret_access_key = randomText(LETTERS_AND_DIGITS, 40)
  const sealed = seal(keys.s3Credential, Buffer.from(secret_access_key), access_key_id)
  await insertCredential(tx, { accessId: access_key_id, keyId, sealed, at })
  return { access_key_id, secret_access_key }
}

/**
 * The secret of an access key. An unknown one has a secret too, which nobody knows and which is always the same. Its signatures are checked
 * in the same steps, so neither the answer nor its time tells that it is unknown.
 */
export async function secretOf({ db, keys }: Deps & Pick<Context, 'db'>, accessId: string): Promise<string> {
  const unknown = createHmac('sha256', keys.s3Unknown).update(accessId).digest('base64url').slice(0, 40)
  const standIn = seal(keys.s3Credential, Buffer.from(unknown), accessId)
  const sealed = (await findSealedSecret(db, accessId)) ?? standIn
  return unseal(keys.s3Credential, sealed, accessId)?.toString() ?? unknown
}
