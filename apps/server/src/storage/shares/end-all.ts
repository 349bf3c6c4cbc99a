import type { Db } from '../../platform/db/db.ts'
import { endAccount, endTokensOf, findSharedTargets } from '../links/links.ts'
import { endShortLinksOf } from '../links/short-links.ts'

const BATCH = 500

/**
 * Nodes refuse all tokens of the account and of its shares that were issued until now. Safe to repeat. Nodes of earlier versions know only
 * ends of single shares.
 */
export async function endSharesOf(db: Db, userId: number): Promise<void> {
  await endAccount(db, userId)
  await endShortLinksOf(db, userId)
  let after = ''
  for (;;) {
    const targets = await findSharedTargets(db, userId, after, BATCH)
    if (targets.length > 0) await endTokensOf(db, userId, targets)
    if (targets.length < BATCH) return
    after = targets.at(-1) ?? after
  }
}
