import { ChainRefusal, type Operator, type SignedTransaction } from '@tidenet/chain-client'
import { anchorMemo } from '@tidenet/receipts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import { currentSize, type LogSize } from '../../platform/transparency-log/read.ts'
import type { Chain } from '../chain/chain.ts'
import { type Context, type Db, now } from '../context.ts'
import * as repository from './repository.ts'

/**
 * Writes checkpoints of the transparency log to the chain. As with payouts, a signed transaction is stored before it is broadcast, and
 * replaced only after it can no longer succeed. If servers disagree, the log has one anchor more: each is true.
 */

type Deps = Pick<Context, 'db' | 'clock' | 'chain' | 'keys' | 'log' | 'config'>

/** From one anchor to the next. */
const INTERVAL_MS = { usual: 3_600_000, quick: 5000 } as const
/** Intervals without an anchor until operators are told. */
const LATE_AFTER = 3
/** A transaction that is still not found this many blocks after its last possible block has failed. */
const MARGIN_BLOCKS = 10
/** Delay before a transaction that is in no block is broadcast again. */
const REBROADCAST_AFTER_MS = 5000

/** One round: checks the transaction that was sent last, then anchors the log if it is due. @throws errors of the chain */
export async function anchorLog(context: Deps): Promise<void> {
  const { chain, db, keys } = context
  if (!chain?.operator) return
  const sent = await repository.findSent(db, keys.log)
  if (sent && !(await settle(context, chain, sent))) return
  const size = await currentSize(context)
  if (await isDue(context, db, size)) await anchor(context, chain, chain.operator, size)
}

/** Whether the log has grown, and no anchor was made for several intervals although the network has a key for it. */
export async function isAnchorLate(
  context: Pick<Context, 'db' | 'clock' | 'chain' | 'keys' | 'config'>,
): Promise<{ isLate: boolean; since: Date | null }> {
  const { chain, clock, config, db, keys } = context
  if (!chain?.operator) return { isLate: false, since: null }
  const [{ size }, newest] = await Promise.all([currentSize(context), repository.findNewestDone(db, keys.log)])
  const isBehind = size > (newest?.size ?? 0)
  const since = newest?.created_at ?? null
  // Before the first anchor, the chain itself shows that something is wrong.
  return {
    isLate: isBehind && since !== null && since.getTime() + LATE_AFTER * INTERVAL_MS[config.pace] < clock.now(),
    since,
  }
}

async function isDue({ keys, clock, config }: Deps, db: Db, { size }: LogSize): Promise<boolean> {
  if (size === 0) return false
  const newest = await repository.findNewest(db, keys.log)
  return !newest || (newest.size < size && newest.created_at.getTime() + INTERVAL_MS[config.pace] <= clock.now())
}

async function anchor(context: Deps, chain: Chain, operator: Operator, of: LogSize): Promise<void> {
  const { db, keys } = context
  const anchoring = { log: keys.log, chainId: chain.config.id }
  let stored: string | undefined
  const store = (signed: SignedTransaction) =>
    db.transaction(async (tx) => {
      await advisoryLock(tx, `anchor ${keys.log}`)
      const at = now(context)
      if (stored !== undefined) await repository.endAnchor(tx, stored, { state: 'void' }, at)
      else if (!(await isDue(context, tx, of))) throw new AnchoredElsewhere()
      if ((await repository.insertAnchor(tx, anchoring, of, signed, at)) === 0) throw new AnchoredElsewhere()
    })
  // A transaction needs a message: the smallest payment to itself.
  const message = { coins: [{ to: operator.address, amount: 1n }] }
  try {
    await operator.submit([message], {
      memo: anchorMemo({ origin: keys.log, ...of }),
      async onSigned(signed) {
        await store(signed)
        stored = signed.hash
      },
    })
  } catch (error) {
    if (error instanceof AnchoredElsewhere) return
    if (stored !== undefined && error instanceof ChainRefusal && !error.uncertain)
      await repository.endAnchor(db, stored, { state: 'void' }, now(context))
    throw error
  }
}

/** Another server is anchoring the log. */
class AnchoredElsewhere extends Error {}

/** @returns whether the result of the transaction is known */
async function settle(context: Deps, { config, port }: Chain, sent: repository.SentAnchor): Promise<boolean> {
  const { db, clock, log } = context
  const end = (how: Parameters<typeof repository.endAnchor>[2]) =>
    repository.endAnchor(db, sent.hash, how, now(context))
  if (sent.chain_id !== config.id) return (await end({ state: 'void' })) >= 0
  // The height is read first: a transaction not found afterwards is in no block up to it.
  const { height } = await port.status()
  const tx = await port.tx(sent.hash)
  if (tx?.code === 0) await end({ state: 'done', height: tx.height })
  else if (tx) {
    log.warn({ hash: sent.hash, why: tx.log }, 'the chain rejected an anchor of the transparency log')
    await end({ state: 'void' })
  } else if (height > sent.last_height + MARGIN_BLOCKS) {
    await end({ state: 'void' })
  } else {
    // The same bytes take effect once. A transaction that is refused now may already be in the next block.
    if (sent.created_at.getTime() + REBROADCAST_AFTER_MS < clock.now())
      await port.broadcast(sent.bytes).catch((error: unknown) => {
        if (!(error instanceof ChainRefusal)) throw error
      })
    return false
  }
  return true
}

export interface Anchor extends LogSize {
  chain: string
  height: number
  account: number
  hash: string
  /** TxRaw. */
  bytes: Buffer
}

/** The first anchor after this leaf was appended. */
export async function findAnchor({ db, keys }: Pick<Deps, 'db' | 'keys'>, index: number): Promise<Anchor | undefined> {
  const found = await repository.findFirstWith(db, keys.log, index)
  if (!found) return undefined
  const { chain_id: chain, ...rest } = found
  return { chain, ...rest }
}
