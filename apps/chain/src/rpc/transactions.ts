import { toBase64 } from '@cosmjs/encoding'
import { AlreadyKnown, type Chain } from '../chain.ts'
import type { IndexedTransaction } from '../transaction-index.ts'
import { bytesOf, hashOf, integerOf, isDescending, type Params, pageOf, RpcError, textOf } from './parameters.ts'
import { toWireResult, toWireTransaction } from './wire.ts'

/** Methods about transactions, in blocks and pending. */

/** As of CometBFT. Blocks come every six seconds, so that a transaction that passed the checks is in one before. */
const COMMIT_TIMEOUT_MS = 10_000
/** Most calls that wait for a block at the same time: CometBFT's limit of subscribers. */
const WAITING_MAX = 100

const NO_RESULT = toWireResult({
  code: 0,
  codespace: '',
  log: '',
  data: new Uint8Array(),
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
})

function add(chain: Chain, params: Params) {
  try {
    return chain.broadcast(bytesOf(params.tx))
  } catch (error) {
    if (error instanceof AlreadyKnown) throw new RpcError(-32603, error.message)
    throw error
  }
}

function broadcast(chain: Chain, params: Params) {
  const { hash, result } = add(chain, params)
  return { code: result.code, data: '', log: result.log, codespace: result.codespace, hash }
}

const waiting = new WeakMap<Chain, number>()

/** Undefined if no block contains it in time. */
async function untilInBlock(chain: Chain, hash: string): Promise<IndexedTransaction | undefined> {
  waiting.set(chain, (waiting.get(chain) ?? 0) + 1)
  let stop = () => {}
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve) => {
      stop = chain.listen(() => {
        const found = chain.find(hash)
        if (found) resolve(found)
      })
      timer = setTimeout(() => resolve(undefined), COMMIT_TIMEOUT_MS).unref()
    })
  } finally {
    stop()
    clearTimeout(timer)
    waiting.set(chain, (waiting.get(chain) ?? 1) - 1)
  }
}

/** @throws RpcError also if the query is none */
function search(chain: Chain, query: string): IndexedTransaction[] {
  try {
    return chain.search(query)
  } catch (error) {
    throw new RpcError(-32603, (error as Error).message)
  }
}

export const transactionMethods = {
  tx(chain: Chain, params: Params) {
    const hash = hashOf(params.hash)
    const found = chain.find(hash)
    if (!found) throw new RpcError(-32603, `tx (${hash}) not found`)
    return toWireTransaction(found)
  },

  tx_search(chain: Chain, params: Params) {
    const found = search(chain, textOf(params.query))
    const { skip, size } = pageOf(found.length, params)
    const ordered = isDescending(params, false) ? found.toReversed() : found
    return { txs: ordered.slice(skip, skip + size).map(toWireTransaction), total_count: String(found.length) }
  },

  broadcast_tx_sync: broadcast,
  broadcast_tx_async: broadcast,

  /** Answers when a block contains the transaction. Later ones may still contain it after the time-out. */
  async broadcast_tx_commit(chain: Chain, params: Params) {
    if ((waiting.get(chain) ?? 0) >= WAITING_MAX)
      throw new RpcError(-32603, `max_subscription_clients ${WAITING_MAX} reached`)
    const { hash, result } = add(chain, params)
    const checked = { check_tx: toWireResult(result), hash }
    if (result.code !== 0) return { ...checked, tx_result: NO_RESULT, height: '0' }
    const found = await untilInBlock(chain, hash)
    if (!found) throw new RpcError(-32603, 'timed out waiting for tx to be included in a block')
    return { ...checked, tx_result: toWireResult(found.result), height: String(found.height) }
  },

  check_tx: (chain: Chain, params: Params) => toWireResult(chain.check(bytesOf(params.tx))),

  unconfirmed_txs(chain: Chain, params: Params) {
    const limit = integerOf('limit', params.limit)
    const { size } = pageOf(0, { per_page: limit })
    const txs = chain.pending().slice(0, size)
    return { ...counts(chain, txs.length), txs: txs.map((bytes) => toBase64(bytes)) }
  },

  num_unconfirmed_txs: (chain: Chain) => ({ ...counts(chain, chain.pending().length), txs: null }),
}

const counts = (chain: Chain, listed: number) => ({
  n_txs: String(listed),
  total: String(chain.pending().length),
  total_bytes: String(chain.pending().reduce((sum, { length }) => sum + length, 0)),
})
