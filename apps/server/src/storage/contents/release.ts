import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { job } from '../../platform/jobs/job.ts'
import { type Context, now } from '../context.ts'
import { demand } from './demand.ts'
import { isPossession } from './possession.ts'

/**
 * Told when an account gives up contents. Those that nobody refers to any more are removed from their nodes at once;
 * those that others keep are looked at again, because fewer areas may be wanted.
 */
export async function releaseContents(
  context: Pick<Context, 'clock'>,
  tx: Db,
  cids: readonly string[],
  account?: string,
): Promise<void> {
  if (cids.length === 0) return
  const at = now(context)
  // In one order, so that two releases never wait for each other.
  const contents = await placement.lockToRelease(tx, cids)
  if (account)
    await tx.run(sql`update receipts set spent = true where account = ${account} and cid = any(${cids}) and not spent`)
  const unused = (
    await tx.rows<{ cid: string }>(sql`
      select c.cid from unnest(${contents.map(({ cid }) => cid)}::text[], ${contents.map(({ sole_holder }) => sole_holder)}::text[]) c (cid, sole_holder)
      where not exists (select 1 from assets a where a.cid = c.cid and a.restricted_to is null)
        and not exists (select 1 from trashed_assets a where a.cid = c.cid and a.restricted_to is null)
        and not exists (select 1 from temp_files t where t.cid = c.cid and t.stored and t.expires_at > ${at} and t.restricted_to is null)
        and not exists (select 1 from receipts r where r.cid = c.cid and not r.spent and ${isPossession})`)
  ).map(({ cid }) => cid)
  if (unused.length > 0) await placement.releaseCopies(tx, unused, await demand.onlyCopies(tx, unused), at)
  await placement.checkContents(tx, cids, at)
}

/** Releases contents that nobody waits for. */
export const contentsToRelease = job<{ cids: readonly string[] }>('releaseContents')

/** So many contents are released with what held them; what is more would keep the account waiting, and is left to jobs. */
const RELEASED_AT_ONCE = 500

/**
 * The same for any number of contents of one account.
 * @param atOnce contents released now; 0 leaves all to jobs, for transactions that hold other contents already
 */
export async function releaseGradually(
  context: Pick<Context, 'clock'>,
  tx: Db,
  account: string,
  cids: readonly string[],
  atOnce = RELEASED_AT_ONCE,
): Promise<void> {
  await releaseContents(context, tx, cids.slice(0, atOnce), account)
  const later = cids.slice(atOnce)
  if (later.length > 0)
    // The account has to send these again before it can store them.
    await tx.run(sql`update receipts set spent = true where account = ${account} and cid = any(${later}) and not spent`)
  for (let from = 0; from < later.length; from += RELEASED_AT_ONCE)
    await contentsToRelease.add(tx, { cids: later.slice(from, from + RELEASED_AT_ONCE) })
}
