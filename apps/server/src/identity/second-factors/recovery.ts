import { createHmac, randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { setPasskeyRequired } from '../accounts/accounts.ts'
import { type Context, now } from '../context.ts'
import { deletePasskeysSince, findPasskeys } from './passkeys-repository.ts'
import {
  deleteFactorsSince,
  deleteRecoveryCodes,
  deleteUnusedRecoveryCodes,
  insertRecoveryCodes,
} from './repository.ts'

/** Crockford's base32, without similar characters, because people copy the codes from paper. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 50 random bits, as two groups of five characters. */
function newCode(): string {
  const letters = [...randomBytes(10)].map((byte) => ALPHABET[byte % 32]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** Replaces the codes by ten new ones, which cannot be read again. */
export async function createRecoveryCodes(
  context: Pick<Context, 'clock' | 'keys'>,
  tx: Db,
  userId: number,
): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(newCode())
  const list = [...codes]
  await deleteRecoveryCodes(tx, userId)
  await insertRecoveryCodes(
    tx,
    userId,
    list.map((code) => hashRecoveryCode(context, userId, code)),
    now(context),
  )
  return list
}

/** Call it after a factor was removed: a passkey is not required if there is none, and recovery codes need a second factor. */
export async function removeUnusedFactors(tx: Db, userId: number): Promise<void> {
  if ((await findPasskeys(tx, userId)).length === 0) await setPasskeyRequired(tx, userId, false)
  await deleteUnusedRecoveryCodes(tx, userId)
}

/** Removes what was added at this time or later. */
export async function removeFactorsSince(tx: Db, userId: number, since: Date): Promise<void> {
  await deletePasskeysSince(tx, userId, since)
  await deleteFactorsSince(tx, userId, since)
  await removeUnusedFactors(tx, userId)
}

/** Ignores case, spaces and hyphens, and reads o as 0, i and l as 1. */
export function hashRecoveryCode({ keys }: Pick<Context, 'keys'>, userId: number, code: string): Buffer {
  const plain = code
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  return createHmac('sha256', keys.pepper).update(`recovery ${userId} ${plain}`).digest()
}
