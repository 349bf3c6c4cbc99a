import { AppError } from '@tidenet/contract'
import { type AccountState, lockAccountsForNoKeyUpdate } from '../../identity/index.ts'
import { type AuditEntry, audit } from '../../platform/audit-log/audit-log.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Context } from '../context.ts'

export type Deps = Pick<Context, 'db' | 'clock'>

/** The operator and their IP address. */
export interface Operator {
  caller: Member
  ip: string
}

export interface Changed<T> {
  result: T
  /** Before and after, for the audit log. */
  detail?: Readonly<Record<string, unknown>>
}

/**
 * Runs a change and records it in the audit log in the same transaction. Refused changes are recorded, too.
 * @param entry the audit entry; details returned by `work` are added
 */
export async function change<T>(
  context: Deps,
  { caller, ip }: Operator,
  entry: AuditEntry,
  work: (tx: Db) => Promise<Changed<T>>,
): Promise<T> {
  try {
    return await context.db.transaction(async (tx) => {
      const { result, detail } = await work(tx)
      await audit(tx, context, caller, { ip }, { ...entry, detail: { ...entry.detail, ...detail } })
      return result
    })
  } catch (error) {
    if (error instanceof AppError)
      await audit(
        context.db,
        context,
        caller,
        { ip },
        {
          ...entry,
          detail: { ...entry.detail, refused: error.key },
          result: 'refused',
        },
      )
    throw error
  }
}

/**
 * Locks the account to change together with the operator's own. If two operators revoke each other's role at once, only one succeeds, so at
 * least one operator remains.
 * @throws AppError userNotFound; ownAccount; forbidden if the caller is no longer an operator
 */
export async function lockAccountToChange(tx: Db, caller: Member, uid: string): Promise<AccountState> {
  const rows = await lockAccountsForNoKeyUpdate(tx, caller.userId, uid)
  const self = rows.find((row) => row.id === caller.userId)
  if (self?.role !== 'operator' || self.locked_at) throw new AppError('forbidden')
  if (self.uid === uid) throw new AppError('ownAccount')
  const account = rows.find((row) => row.uid === uid)
  if (!account) throw new AppError('userNotFound')
  return account
}
