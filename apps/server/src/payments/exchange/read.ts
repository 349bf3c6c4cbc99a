import { AppError, PAYMENT_GRACE } from '@tidenet/contract'
import { ago } from '../../platform/ago.ts'
import { now } from '../context.ts'
import { type Deps, type Exchange, findExchange } from './offer.ts'
import { beginReading, findRead, knownPayments, type ReadKey, setRead } from './payments-repository.ts'
import { receive } from './receive.ts'
import { endLate } from './repository.ts'
import { transfersIn } from './transfers.ts'

/** Blocks that are read again each time: the search index of a node lags behind its blocks. */
const OVERLAP_BLOCKS = 30
/** Blocks that are read again each hour, about a day: a node may have left something out. */
const DEEP_BLOCKS = 14_400
const DEEP_EVERY_MS = 3_600_000
/** The port returns at most this many results of a search, the oldest first. */
const SEARCH_MAX = 2000
/** Quotes end this much later, so that the index knows all payments in time. */
const INDEX_LAG_MS = 10_000

export const readKey = ({ chain, token, address }: Exchange): ReadKey => ({
  chainId: chain.config.id,
  token: token.address,
  address,
})

/**
 * One round: reads payments from the chain, then ends exchanges whose payment did not arrive. A chain that does not answer ends nothing.
 * @throws ChainUnreachable, ChainRefusal
 */
export async function readPayments(context: Deps, signal?: AbortSignal): Promise<void> {
  const exchange = findExchange(context)
  if (!exchange) return
  const { chain, token, address } = exchange
  const key = readKey(exchange)
  // The height is read first: blocks up to it are complete.
  const { height, time } = await chain.port.status()
  const at = now(context)
  const read = await findRead(context.db, key)
  if (!read) {
    // Without a partner, transfers to the address are not ours to refund.
    if (context.config.exchange.url === '') return
    await beginReading(context.db, key, { height, time }, at)
    return
  }
  const isBefore = height < read.from_height - 1
  // The node lags: earlier payments are not ours. Later blocks of lower heights are those of a chain that was started anew.
  if (isBefore && time <= read.block_time) return
  const deep = height < read.height || read.deep_at < ago(at, DEEP_EVERY_MS)
  const from = isBefore
    ? 1
    : Math.max(read.from_height, Math.min(read.height, height) - (deep ? DEEP_BLOCKS : OVERLAP_BLOCKS))
  const found = await chain.port.search(
    `wasm._contract_address='${token.address}' AND wasm.to='${address}' AND tx.height>=${from} AND tx.height<=${height}`,
  )
  const known = await knownPayments(
    context.db,
    found.map(({ hash }) => hash),
  )
  for (const tx of found) {
    if (signal?.aborted) return
    await receiveAll(context, exchange, tx, known)
  }
  const isCut = found.length >= SEARCH_MAX
  const last = isCut ? Math.max(from, (found.at(-1)?.height ?? from) - 1) : height
  const reached = isCut ? await blockTime(exchange, last) : time
  await setRead(context.db, key, { from, height: last, time: reached, deep: deep && !isCut }, at)
  // Both clocks have passed the end of the quote, and all payments until then are known.
  const ended = new Date(Math.min(reached.getTime(), at.getTime()) - PAYMENT_GRACE - INDEX_LAG_MS)
  await endLate(context.db, ended, at)
}

/** Looks for the payments of one transaction, if it is in a block. No effect if they are known. */
export async function readTransaction(context: Deps, exchange: Exchange, hash: string): Promise<void> {
  const tx = await exchange.chain.port.tx(hash)
  const read = await findRead(context.db, readKey(exchange))
  if (tx && tx.hash === hash && read && tx.height >= read.from_height)
    await receiveAll(context, exchange, tx, new Set())
}

async function receiveAll(
  context: Deps,
  exchange: Exchange,
  tx: Awaited<ReturnType<Exchange['chain']['port']['search']>>[number],
  known: ReadonlySet<string>,
): Promise<void> {
  const transfers = transfersIn(tx, exchange.token.address, exchange.address).filter(
    ({ hash, event }) => !known.has(`${hash}/${event}`),
  )
  if (transfers.length === 0) return
  const time = await blockTime(exchange, tx.height)
  const { decimals } = await exchange.token.info()
  for (const transfer of transfers) await receive(context, transfer, time, decimals)
}

async function blockTime({ chain }: Exchange, height: number): Promise<Date> {
  const block = await chain.port.block(height)
  // A pruned block: its payment is later than any quote.
  if (block) return block.time
  const { time } = await chain.port.status()
  return time
}

/** Payments are read from now on, before the first one is asked for. @throws AppError chainUnavailable */
export async function ensureReading(context: Deps, exchange: Exchange): Promise<void> {
  const key = readKey(exchange)
  if (await findRead(context.db, key)) return
  const status = await exchange.chain.port.status().catch(() => {
    throw new AppError('chainUnavailable')
  })
  await beginReading(context.db, key, status, now(context))
}
