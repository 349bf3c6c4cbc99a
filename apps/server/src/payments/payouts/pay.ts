import { ChainRefusal, type Operator, type OperatorMessage } from '@tidenet/chain-client'
import type { Chain } from '../chain/chain.ts'
import { type Context, now } from '../context.ts'
import type { Promised, Promises } from './promises.ts'
import { endPayout, insertPayout, openPayouts, type Payout, type PayoutKind } from './repository.ts'

/**
 * Pays what was promised. A transaction is written down with what it pays before it is handed in, and nothing gets another one unless the
 * first was refused or its time is over: whatever dies in between, what was promised is paid, and paid once.
 */

export type PayNeeds = Pick<Context, 'db' | 'clock' | 'chain' | 'log'>

/** One kind of promise, and what the chain is asked to do for some of it. */
export interface Paying {
  kind: PayoutKind
  promises: Promises
  messages(chain: Chain, promised: readonly Promised[]): Promise<OperatorMessage[]>
}

/** What is promised, of the token of a contract: a transfer to each wallet. @param units of so many whole coins */
export const transfersOf = (
  contract: string,
  units: (coins: number) => Promise<bigint>,
  promised: readonly Promised[],
): Promise<OperatorMessage[]> =>
  Promise.all(
    promised.map(async ({ wallet, amount }) => ({
      execute: { contract, msg: { transfer: { recipient: wallet, amount: String(await units(amount)) } } },
    })),
  )

/** Promises of one transaction. */
const BATCH = 20
/** Batches in a row before payouts under way are looked after again. */
const BATCHES = 20
/** Blocks after which what was not found is believed to be nowhere. */
const MARGIN = 10
/** Ms after which what is in no block is handed in once more. */
const AGAIN_MS = 5000

/** One round: looks after payouts under way, pays what is due. @throws what kept it from paying, everything being as it was */
export async function payOut(context: PayNeeds, paying: Paying, signal?: AbortSignal): Promise<void> {
  const { chain } = context
  if (!chain?.operator) return
  await settlePayouts(context, paying, chain)
  for (let batch = 0; batch < BATCHES && !signal?.aborted; batch++) {
    const due = await paying.promises.due(context.db, now(context), BATCH)
    // What failed before goes alone: one of them may be why.
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
  context: PayNeeds,
  paying: Paying,
  chain: Chain,
  operator: Operator,
  promised: readonly Promised[],
): Promise<void> {
  const { db } = context
  const { kind, promises } = paying
  const ids = promised.map(({ id }) => id)
  let payout: string | null = null
  try {
    await operator.submit(await paying.messages(chain, promised), {
      async onSigned({ hash, bytes, lastHeight }) {
        const at = now(context)
        await db.transaction(async (tx) => {
          if (payout) await endPayout(tx, payout, 'void', at)
          await insertPayout(tx, kind, { hash, bytes: Buffer.from(bytes), last_height: lastHeight }, at)
          if ((await promises.payBy(tx, ids, hash, payout)) !== ids.length) throw new TakenElsewhere()
        })
        payout = hash
      },
    })
  } catch (error) {
    if (error instanceof TakenElsewhere) return
    const at = now(context)
    const { message } = error as Error
    if (!payout) await promises.postpone(db, ids, message, at)
    else if (error instanceof ChainRefusal && !error.uncertain) await release(context, promises, payout, message)
    // Otherwise it may be on its way: `settlePayouts` finds out.
    throw error
  }
}

/** Another server pays these already. */
class TakenElsewhere extends Error {}

async function settlePayouts(context: PayNeeds, paying: Paying, chain: Chain): Promise<void> {
  const open = await openPayouts(context.db, paying.kind)
  if (open.length === 0) return
  // Asked first: what is not found afterwards was in no block up to here.
  const { height } = await chain.port.status()
  for (const payout of open) await settle(context, paying, chain, payout, height)
}

async function settle(
  context: PayNeeds,
  { kind, promises }: Paying,
  { port }: Chain,
  payout: Payout,
  height: number,
): Promise<void> {
  const { db, log } = context
  const tx = await port.tx(payout.hash)
  if (tx?.code === 0) {
    await db.transaction(async (within) => {
      if ((await endPayout(within, payout.hash, 'done', now(context))) === 1) await promises.finish(within, payout.hash)
    })
  } else if (tx) {
    log.warn({ hash: payout.hash, why: tx.log }, `the chain refused to pay ${kind}`)
    await release(context, promises, payout.hash, tx.log)
  } else if (height > payout.last_height + MARGIN) {
    await release(context, promises, payout.hash, 'no block took it in time')
  } else if (payout.created_at.getTime() + AGAIN_MS < context.clock.now()) {
    // The same bytes: they count once, however often they are handed in. What is refused now may stand in a block in a moment.
    await port.broadcast(payout.bytes).catch((error: unknown) => {
      if (!(error instanceof ChainRefusal)) throw error
    })
  }
}

const release = ({ db, clock }: PayNeeds, promises: Promises, hash: string, why: string): Promise<void> =>
  db.transaction(async (tx) => {
    const at = now({ clock })
    if ((await endPayout(tx, hash, 'void', at)) === 1) await promises.release(tx, hash, why.slice(0, 500), at)
  })
