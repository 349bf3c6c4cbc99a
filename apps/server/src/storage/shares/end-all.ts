import type { Db } from '../../platform/db/db.ts'
import { endTokensOf, findSharedTargets } from '../links/links.ts'
import { endShortLinksOf } from '../links/short-links.ts'

const BATCH = 500

/** Nodes refuse all tokens that were issued for shares of the account until now. Safe to repeat. */
export async function endSharesOf(db: Db, userId: number): Promise<void> {
  await endShortLinksOf(db, userId)
  let after = ''
  for (;;) {
    const targets = await findSharedTargets(db, userId, after, BATCH)
    if (targets.length > 0) await endTokensOf(db, userId, targets)
    if (targets.length < BATCH) return
    after = targets.at(-1) ?? after
  }
}
