import { GiB } from '@tidenet/contract'
import { type AccountUsage, limitsOf, setUnlisted } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { releaseContents } from '../contents/release.ts'
import { type Context, now } from '../context.ts'
import { findUnlisted } from './repository.ts'

/** Bytes beyond its quota that an account may upload before listing them, for concurrent uploads that do not all fit. */
export const UNLISTED_EXTRA_BYTES = GiB

/** How long a count is used. */
const COUNT_LIFE_MS = 60_000

/**
 * Uploaded contents that no asset lists do not count against the quota; this releases the oldest beyond the limit. Counting reads every
 * receipt of the account, so it is done only when as much has arrived as the last count left, or after a minute. What is listed meanwhile makes
 * the count too high, never too low.
 * @param account locked for update
 * @param received bytes that arrived since the last call
 */
export async function enforceUnlistedLimit(
  context: Pick<Context, 'clock' | 'log'>,
  tx: Db,
  account: AccountUsage,
  received: number,
): Promise<void> {
  const at = now(context)
  const { unlisted_left: left, unlisted_counted_at: countedAt } = account
  if (countedAt && at.getTime() - countedAt.getTime() < COUNT_LIFE_MS && received <= left) {
    await setUnlisted(tx, account.id, left - received, countedAt)
    return
  }
  const max = limitsOf(account).storage + UNLISTED_EXTRA_BYTES
  let bytes = 0
  const surplus = (await findUnlisted(tx, account)).filter(({ size }) => {
    bytes += size
    return bytes > max
  })
  await setUnlisted(tx, account.id, Math.max(0, max - bytes), at)
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
