import { GiB } from '@tidenet/contract'
import { type AccountUsage, limitsOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { findUnlisted } from './repository.ts'

/** Bytes beyond its quota that an account may upload before listing them, for concurrent uploads that do not all fit. */
export const UNLISTED_EXTRA_BYTES = GiB

/** How long a count is used. */
const COUNT_LIFE_MS = 60_000
/** A count is used until an eighth of what it left has arrived here, because other servers accept receipts as well. */
const SHARE = 8
const ACCOUNTS_MAX = 10_000

/** By account: bytes that may still arrive before its unlisted contents are counted again, and until when. */
const counted = new Map<string, { left: number; until: number }>()

/**
 * Uploaded contents that no asset lists do not count against the quota; this releases the oldest beyond the limit. Counting reads every
 * receipt of the account, so it is not done for every receipt.
 * @param received bytes that arrived since the last call
 */
export async function enforceUnlistedLimit(
  context: Pick<Context, 'clock' | 'log'>,
  tx: Db,
  account: AccountUsage,
  received: number,
): Promise<void> {
  const at = now(context).getTime()
  const last = counted.get(account.uid)
  if (last && at < last.until && received < last.left) {
    last.left -= received
    return
  }
  const max = limitsOf(account).storage + UNLISTED_EXTRA_BYTES
  let bytes = 0
  const surplus = (await findUnlisted(tx, account)).filter(({ size }) => {
    bytes += size
    return bytes > max
  })
  counted.delete(account.uid)
  counted.set(account.uid, { left: Math.max(0, max - bytes) / SHARE, until: at + COUNT_LIFE_MS })
  const [oldest] = counted.keys()
  if (counted.size > ACCOUNTS_MAX && oldest !== undefined) counted.delete(oldest)
  if (surplus.length === 0) return
  context.log.warn(
    { account: account.uid, contents: surplus.length },
    'released contents that the account uploaded and did not list',
  )
  await releaseContents(
    context,
    tx,
    surplus.map(({ cid }) => cid),
    { userId: account.id, uid: account.uid },
  )
}
