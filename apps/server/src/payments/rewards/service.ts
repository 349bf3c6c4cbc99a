import { AppError, type contract, type Output, type Redemption } from '@tidenet/contract'
import { findWallets, lockAccountForUpdate, requireLinkedWallet } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { requireChain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import {
  countRedemptions,
  insertEntry,
  insertRedemption,
  latestEntries,
  listRedemptions,
  type RedemptionRow,
  sumPoints,
} from './repository.ts'

type Rewards = (typeof contract)['rewards']
type State = Output<Rewards['state']>
export type Points = Pick<State, 'accumulated' | 'not_withdrawn' | 'withdrawing' | 'credited'>
type Deps = Pick<Context, 'db' | 'clock' | 'chain' | 'config'>

/** Grants that the page shows. */
const ENTRIES = 10

const toWireRedemption = (row: RedemptionRow): Redemption => ({
  id: row.id,
  points: row.points,
  coins: row.amount,
  account: row.wallet,
  state: row.state === 'done' ? 'credited' : 'withdrawing',
  hash: row.payment ?? '',
  created_at: row.created_at.toISOString(),
  receipt_id: row.receipt_id,
})

/** The point sums of an account, read in one statement. */
export async function pointsOf(db: Db, userId: number): Promise<Points> {
  const { accumulated, withdrawing, credited } = await sumPoints(db, userId)
  return { accumulated, not_withdrawn: accumulated - withdrawing - credited, withdrawing, credited }
}

/** Point sums and latest grants of an account, and why it cannot redeem, if so. */
export async function rewardState({ db, chain, config }: Deps, caller: Member): Promise<State> {
  const { rate, min } = config.chain.rewards
  const points = await pointsOf(db, caller.userId)
  const wallets = await findWallets(db, caller.userId)
  const entries = await latestEntries(db, caller.userId, ENTRIES)
  const blockedBy = () => {
    if (!chain) return 'chain'
    if (!chain.rewards) return 'coin'
    if (!wallets.some(({ kind }) => kind === 'cosmos')) return 'wallet'
    return points.not_withdrawn < min ? 'points' : null
  }
  return {
    ...points,
    rate,
    min,
    token: chain?.rewards?.address ?? '',
    hindrance: blockedBy(),
    entries: entries.map((entry) => ({ ...entry, created_at: entry.created_at.toISOString() })),
  }
}

/**
 * Exchanges points for coins. `payRedemptions` sends them to the linked wallet once the chain is available.
 * @throws AppError chainNotConfigured, redeemUnavailable, walletRequired, pointsMinimum, pointsInsufficient
 */
export async function redeem(
  context: Deps,
  caller: Member,
  points: number,
): Promise<{ redemption: Redemption; points: Points }> {
  const { db, config } = context
  if (!requireChain(context).rewards) throw new AppError('redeemUnavailable')
  const { rate, min } = config.chain.rewards
  const at = now(context)
  return db.transaction(async (tx) => {
    // Serializes redemptions and wallet changes of the account.
    await lockAccountForUpdate(tx, caller.userId)
    const wallet = await requireLinkedWallet(tx, caller.userId)
    if (points < min) throw new AppError('pointsMinimum', { min })
    const { not_withdrawn: left } = await pointsOf(tx, caller.userId)
    if (points > left) throw new AppError('pointsInsufficient', { points: left })
    const row = await insertRedemption(tx, { userId: caller.userId, wallet, points, amount: points * rate, at })
    return { redemption: toWireRedemption(row), points: await pointsOf(tx, caller.userId) }
  })
}

export async function redemptions(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { page, size }: { page: number; size: number },
): Promise<Output<Rewards['history']>> {
  const list = await listRedemptions(db, caller.userId, size, (page - 1) * size)
  return { list: list.map(toWireRedemption), total: await countRedemptions(db, caller.userId) }
}

/** The caller has locked the account in `tx`. @returns the sums afterwards */
export async function grantPoints(
  { clock }: Pick<Context, 'clock'>,
  tx: Db,
  grant: { userId: number; points: number; reason: string; by: number },
): Promise<Points> {
  await insertEntry(tx, { ...grant, kind: 'granted', at: now({ clock }) })
  return pointsOf(tx, grant.userId)
}

export { countUnpaidRedemptions } from './repository.ts'
