import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { job } from '../../platform/jobs/job.ts'
import { stillListed } from '../assets/assets.ts'
import { type Context, now } from '../context.ts'
import { contentsReleased } from '../third-party-records/records.ts'
import { demand } from './demand.ts'
import { isPossession } from './possession.ts'
import { spendReceipts } from './receipts.ts'

/**
 * Called when an account no longer refers to contents. Contents without any reference are removed from their nodes at once; the
 * placement of others is checked again, because they may be wanted in fewer areas.
 */
export async function releaseContents(
  context: Pick<Context, 'clock'>,
  tx: Db,
  released: readonly string[],
  account?: Account,
): Promise<void> {
  if (released.length === 0) return
  // Two entries of one content may be released together.
  const cids = [...new Set(released)]
  const at = now(context)
  // Locked in a fixed order to avoid deadlocks.
  const contents = await placement.lockToRelease(tx, cids)
  if (account) await spendUnneeded(tx, cids, account)
  const unused = (
    await tx.rows<{ cid: string }>(sql`
      select c.cid from unnest(${contents.map(({ cid }) => cid)}::text[], ${contents.map(({ sole_holder }) => sole_holder)}::text[]) c (cid, sole_holder)
      where not exists (select 1 from assets a where a.cid = c.cid and a.restricted_to is null)
        and not exists (select 1 from trashed_assets a where a.cid = c.cid and a.restricted_to is null)
        and not exists (select 1 from asset_versions v where v.cid = c.cid and v.restricted_to is null)
        and not exists (select 1 from temp_files t where t.cid = c.cid and t.stored and t.expires_at > ${at} and t.restricted_to is null)
        and not exists (select 1 from attachments t where t.cid = c.cid and t.restricted_to is null)
        and not exists (select 1 from receipts r where r.cid = c.cid and not r.spent and ${isPossession})`)
  ).map(({ cid }) => cid)
  if (unused.length > 0) await placement.releaseCopies(tx, unused, await demand.onlyCopies(tx, unused), at)
  await placement.checkContents(tx, cids, at)
  await contentsReleased(tx, cids, at)
}

/** The account that gave contents up. */
type Account = Pick<Member, 'userId' | 'uid'>

/** Spends the receipts of contents of which the account has no other entry. */
async function spendUnneeded(tx: Db, cids: readonly string[], { userId, uid }: Account): Promise<void> {
  const listed = await stillListed(tx, userId, cids)
  await spendReceipts(
    tx,
    cids.filter((cid) => !listed.has(cid)),
    uid,
  )
}

/** Releases contents in the background. */
export const contentsToRelease = job<{ cids: readonly string[] }>('releaseContents')

/** Contents released within the caller's transaction, and per job. */
const RELEASE_BATCH = 500

/**
 * Releases any number of contents of one account: the first batch now, the rest in jobs.
 * @param atOnce contents released now; 0 in transactions that have already locked other contents
 */
export async function releaseInBatches(
  context: Pick<Context, 'clock'>,
  tx: Db,
  account: Account,
  cids: readonly string[],
  atOnce = RELEASE_BATCH,
): Promise<void> {
  await releaseContents(context, tx, cids.slice(0, atOnce), account)
  const later = cids.slice(atOnce)
  if (later.length > 0)
    // Until the job runs, the account must not list these again without sending the bytes.
    await spendUnneeded(tx, later, account)
  for (let from = 0; from < later.length; from += RELEASE_BATCH)
    await contentsToRelease.add(tx, { cids: later.slice(from, from + RELEASE_BATCH) })
}
