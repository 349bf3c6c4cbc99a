import type { Db } from '../../platform/db/db.ts'
import { openAccountWithoutEmail } from './accounts.ts'
import { eraseAtOnce } from './closing.ts'

/** Accounts of guests: nobody can sign in to them, and they are deleted as soon as their workspace is gone or adopted. @returns its id */
export const openGuestAccount = async (tx: Db, at: Date): Promise<number> => (await openAccountWithoutEmail(tx, at)).id

export const closeGuestAccount = (tx: Db, userId: number, at: Date): Promise<number> => eraseAtOnce(tx, userId, at)
