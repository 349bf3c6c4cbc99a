import { createHmac, randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { setPasskeyRequired } from '../accounts/accounts.ts'
import { type Context, now } from '../context.ts'
import { findPasskeys } from './passkeys-repository.ts'
import { deleteRecoveryCodes, dropIdleCodes, insertRecoveryCodes } from './repository.ts'

/** Crockford's: no letter that is easily taken for another, so that they can be copied from paper. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/** 50 random bits as two groups of five. */
function newCode(): string {
  const letters = [...randomBytes(10)].map((byte) => LETTERS[byte % 32]).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** Ten new codes in the place of those before; they are readable in the answer alone. */
export async function makeRecoveryCodes(
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

/** After a factor was taken away: no passkey is asked for where there is none, and nothing is left to recover without a second factor. */
export async function dropIdleFactors(tx: Db, userId: number): Promise<void> {
  if ((await findPasskeys(tx, userId)).length === 0) await setPasskeyRequired(tx, userId, false)
  await dropIdleCodes(tx, userId)
}

/** Of the code however it was typed: capitals, blanks and hyphens do not count, nor o for 0 and i or l for 1. */
export function hashRecoveryCode({ keys }: Pick<Context, 'keys'>, userId: number, code: string): Buffer {
  const plain = code
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
  return createHmac('sha256', keys.pepper).update(`recovery ${userId} ${plain}`).digest()
}
