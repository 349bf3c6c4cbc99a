import { AppError } from '@tidenet/contract'
import type { AccountUsage } from '../../identity/index.ts'
import { lastEnded } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'

/**
 * Refuses uploads of an account that is locked or will be deleted.
 * @param account locked for update: until the transaction ends, nobody can lock or close it
 * @returns what its upload tokens name as `ended`: nodes refuse them if the account ends later
 * @throws AppError accountLocked, accountClosing
 */
export async function requireOpenAccount(tx: Db, { locked, closing }: AccountUsage): Promise<number> {
  if (locked) throw new AppError('accountLocked')
  if (closing) throw new AppError('accountClosing')
  return lastEnded(tx)
}
