import { ChainRefusal, type Operator, type OperatorMessage } from '@tidenet/chain-client'
import { accountsOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { issueReceipts } from '../../platform/transparency-log/issue.ts'
import type { Chain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import type { PaidPayout, PendingPayout, PendingPayouts } from './pending.ts'
import { endPayout, insertPayout, openPayouts, type Payout, type PayoutKind } from './repository.ts'

/**
 * Pays pending payouts exactly once. A signed transaction is stored with the payouts it pays before it is broadcast. They get another
 * transaction only after the first was rejected or timed out, so a crash at any point neither loses nor repeats a payment.
 */

export type PayoutDeps = Pick<Context, 'db' | 'clock' | 'chain' | 'log'>

export interface Paying {
  kind: PayoutKind
  pending: PendingPayouts
  messages(chain: Chain, payouts: readonly PendingPayout[]): Promise<OperatorMessage[]>
}

/** One token transfer per payout of whole coins. @param units converts whole coins to token units */
export const transfersOf = (
  contract: string,
  units: (coins: number) => Promise<bigint>,
  payouts: readonly PendingPayout[],
): Promise<OperatorMessage[]> =>
  Promise.all(
    payouts.map(async ({ wallet, amount }) => ({
      execute: { contract, msg: { transfer: { recipient: wallet, amount: String(await units(Number(amount))) } } },
    })),
  )

/** Payouts per transaction. */
const BATCH = 20
/** Batches per round; then sent transactions are checked again. */
const BATCHES = 20
/** A transaction that is still not found this many blocks after its last possible block has failed. */
const MARGIN_BLOCKS = 10
/** Delay before a transaction that is in no block is broadcast again. */
const REBROADCAST_AFTER_MS = 5000

/** One round: checks sent transactions, then pays due payouts. @throws the failure of a transaction, after its payouts are postponed */
export async function payOut(context: PayoutDeps, paying: Paying, signal?: AbortSignal): Promise<void> {
  const { chain } = context
  if (!chain?.operator) return
  await settlePayouts(context, paying, chain)
  for (let batch = 0; batch < BATCHES && !signal?.aborted; batch++) {
    const due = await paying.pending.due(context.db, now(context), BATCH)
    // A payout that failed before is paid alone, because it may be the cause.
    const [first] = due
    if (!first) return
    await pay(
      context,
      paying,
      chain,
      chain.operator,
      first.tries > 0 ? [first] : due.filter(({ tries }) => tries === 0),
    )
  }
}

async function pay(
  context: PayoutDeps,
  paying: Paying,
  chain: Chain,
  operator: Operator,
  payouts: readonly PendingPayout[],
): Promise<void> {
  const { db } = context
  const { kind, pending } = paying
  const ids = payouts.map(({ id }) => id)
  let hash: string | null = null
  try {
    await operator.submit(await paying.messages(chain, payouts), {
      async onSigned({ hash: signed, bytes, lastHeight }) {
        const at = now(context)
        await db.transaction(async (tx) => {
          if (hash) await endPayout(tx, hash, 'void', at)
          await insertPayout(tx, kind, { hash: signed, bytes: Buffer.from(bytes), last_height: lastHeight }, at)
          if ((await pending.assign(tx, ids, signed, hash)) !== ids.length) throw new AlreadyPaid()
        })
        hash = signed
      },
    })
  } catch (error) {
    if (error instanceof AlreadyPaid) return
    const at = now(context)
    const { message } = error as Error
    if (!hash) await pending.postpone(db, ids, message, at)
    else if (error instanceof ChainRefusal && !error.uncertain) await release(context, pending, hash, message)
    // Otherwise it may have been sent: `settlePayouts` checks.
    throw error
  }
}

/** Another server is paying these. */
class AlreadyPaid extends Error {}

async function settlePayouts(context: PayoutDeps, paying: Paying, chain: Chain): Promise<void> {
  const open = await openPayouts(context.db, paying.kind)
  if (open.length === 0) return
  // The height is read first: a transaction not found afterwards is in no block up to it.
  const { height } = await chain.port.status()
  for (const payout of open) await settle(context, paying, chain, payout, height)
}

async function settle(
  context: PayoutDeps,
  { kind, pending }: Paying,
  { port }: Chain,
  payout: Payout,
  height: number,
): Promise<void> {
  const { db, log } = context
  const tx = await port.tx(payout.hash)
  if (tx?.code === 0) {
    const at = now(context)
    await db.transaction(async (within) => {
      if ((await endPayout(within, payout.hash, 'done', at)) === 1)
        await issueReceiptsOf(within, pending, kind, payout.hash, await pending.finish(within, payout.hash), at)
    })
  } else if (tx) {
    log.warn({ hash: payout.hash, why: tx.log }, `the chain rejected a transaction that pays ${kind}`)
    await release(context, pending, payout.hash, tx.log)
  } else if (height > payout.last_height + MARGIN_BLOCKS) {
    await release(context, pending, payout.hash, 'not included in a block in time')
  } else if (payout.created_at.getTime() + REBROADCAST_AFTER_MS < context.clock.now()) {
    // The same bytes take effect once. A transaction that is refused now may already be in the next block.
    await port.broadcast(payout.bytes).catch((error: unknown) => {
      if (!(error instanceof ChainRefusal)) throw error
    })
  }
}

/** What receipts name as the purpose. Refunds and test coins of the points exchange get no receipts. */
const PURPOSES: Partial<Record<PayoutKind, 'faucet' | 'redemption'>> = { claims: 'faucet', redemptions: 'redemption' }

async function issueReceiptsOf(
  tx: Db,
  pending: PendingPayouts,
  kind: PayoutKind,
  hash: string,
  paid: readonly PaidPayout[],
  at: Date,
): Promise<void> {
  const purpose = PURPOSES[kind]
  if (purpose === undefined) return
  const owners = await accountsOf(
    tx,
    paid.flatMap(({ user_id }) => user_id ?? []),
  )
  const owned = paid.flatMap(({ id, user_id, wallet, amount }) => {
    const sub = user_id === null ? undefined : owners.get(user_id)?.uid
    return sub === undefined
      ? []
      : [{ id, stated: { kind: 'claim' as const, sub, purpose, wallet, amount: Number(amount), tx: hash } }]
  })
  const receipts = await issueReceipts(
    tx,
    owned.map(({ stated }) => stated),
    at,
  )
  await pending.setReceipts(
    tx,
    owned.map(({ id }) => id),
    receipts,
  )
}

const release = (
  { db, clock }: PayoutDeps,
  pending: Pick<PendingPayouts, 'release'>,
  hash: string,
  why: string,
): Promise<void> =>
  db.transaction(async (tx) => {
    const at = now({ clock })
    if ((await endPayout(tx, hash, 'void', at)) === 1) await pending.release(tx, hash, why.slice(0, 500), at)
  })
