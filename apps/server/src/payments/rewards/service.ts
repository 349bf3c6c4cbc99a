import { AppError, type contract, type Output, type Redemption } from '@tidenet/contract'
import { findWallets, lockAccountForUpdate, requireLinkedWallet } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { demandChain } from '../chain/chain.ts'
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
type Needs = Pick<Context, 'db' | 'clock' | 'chain' | 'config'>

/** Points that came, as the page shows them. */
const ENTRIES = 10

const shown = ({ id, wallet, points, amount, state, payment, created_at }: RedemptionRow): Redemption => ({
  id,
  points,
  coins: amount,
  account: wallet,
  state: state === 'done' ? 'credited' : 'withdrawing',
  hash: payment ?? '',
  created_at: created_at.toISOString(),
})

/** The four numbers of an account, of one moment. */
export async function pointsOf(db: Db, userId: number): Promise<Points> {
  const { accumulated, withdrawing, credited } = await sumPoints(db, userId)
  return { accumulated, not_withdrawn: accumulated - withdrawing - credited, withdrawing, credited }
}

/** What an account has, and whether some of it can be redeemed. */
export async function rewardState({ db, chain, config }: Needs, caller: Member): Promise<State> {
  const { rate, min } = config.chain.rewards
  const points = await pointsOf(db, caller.userId)
  const wallets = await findWallets(db, caller.userId)
  const entries = await latestEntries(db, caller.userId, ENTRIES)
  const hindrance = () => {
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
    hindrance: hindrance(),
    entries: entries.map((entry) => ({ ...entry, created_at: entry.created_at.toISOString() })),
  }
}

/**
 * Promises coins for points to the bound wallet; what is promised is paid by `payRedemptions`, however long the chain is away.
 * @throws AppError chainNotConfigured, redeemUnavailable, walletRequired, pointsMinimum, pointsInsufficient
 */
export async function redeem(
  context: Needs,
  caller: Member,
  points: number,
): Promise<{ redemption: Redemption; points: Points }> {
  const { db, config } = context
  if (!demandChain(context).rewards) throw new AppError('redeemUnavailable')
  const { rate, min } = config.chain.rewards
  const at = now(context)
  return db.transaction(async (tx) => {
    // Nobody else redeems points of this account meanwhile, nor changes its wallets.
    await lockAccountForUpdate(tx, caller.userId)
    const wallet = await requireLinkedWallet(tx, caller.userId)
    if (points < min) throw new AppError('pointsMinimum', { min })
    const { not_withdrawn: left } = await pointsOf(tx, caller.userId)
    if (points > left) throw new AppError('pointsInsufficient', { points: left })
    const row = await insertRedemption(tx, { userId: caller.userId, wallet, points, amount: points * rate, at })
    return { redemption: shown(row), points: await pointsOf(tx, caller.userId) }
  })
}

export async function redemptions(
  { db }: Pick<Context, 'db'>,
  caller: Member,
  { page, size }: { page: number; size: number },
): Promise<Output<Rewards['history']>> {
  const list = await listRedemptions(db, caller.userId, size, (page - 1) * size)
  return { list: list.map(shown), total: await countRedemptions(db, caller.userId) }
}

/** Gives points to an account that the caller's transaction holds. @returns its four numbers afterwards */
export async function grantPoints(
  { clock }: Pick<Context, 'clock'>,
  tx: Db,
  grant: { userId: number; points: number; reason: string; by: number },
): Promise<Points> {
  await insertEntry(tx, { ...grant, kind: 'granted', at: now({ clock }) })
  return pointsOf(tx, grant.userId)
}
