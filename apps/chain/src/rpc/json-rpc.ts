import { fromHex, toBase64 } from '@cosmjs/encoding'
import { AlreadyKnown, type Chain, type ChainBlock } from '../chain.ts'
import type { Result } from '../state/app.ts'
import { refusalOf } from '../state/refusal.ts'
import type { IndexedTransaction } from '../transaction-index.ts'
import { answerQuery } from './abci-queries.ts'

/** The methods of CometBFT 0.38 that clients use. Large integers are strings, hashes upper-case hex, bytes base64. */

export type Params = Record<string, unknown>

/** JSON-RPC error: -32602 invalid parameters, -32603 internal error. */
export class RpcError extends Error {
  readonly code: number
  readonly data: string

  constructor(code: number, data: string) {
    super(code === -32602 ? 'Invalid params' : code === -32601 ? 'Method not found' : 'Internal error')
    this.code = code
    this.data = data
  }
}

const EMPTY = ''
/** Address of the only block producer. There is no consensus, so it has no key. */
const PRODUCER = '00'.repeat(20)
const time = (ms: number): string => new Date(ms).toISOString()

const bytesOf = (value: unknown): Uint8Array => {
  if (typeof value !== 'string') throw new RpcError(-32602, 'tx is no text')
  return new Uint8Array(Buffer.from(value, 'base64'))
}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
function heightOf(chain: Chain, value: unknown): number {
  if (value === undefined || value === null || value === '' || value === '0') return chain.height
  const height = Number(value)
  if (!Number.isInteger(height) || height < 1) throw new RpcError(-32602, 'height must be greater than 0')
  if (height > chain.height)
    throw new RpcError(
      -32603,
      `height ${height} must be less than or equal to the current blockchain height ${chain.height}`,
    )
  return height
}

const blockId = (hash: string) => ({ hash, parts: { total: 1, hash } })

function header(chain: Chain, { height, time: at, hash, previous }: ChainBlock) {
  return {
    version: { block: '11', app: '0' },
    chain_id: chain.genesis.chainId,
    height: String(height),
    time: time(at),
    last_block_id: height > 1 ? blockId(previous) : { hash: EMPTY, parts: { total: 0, hash: EMPTY } },
    last_commit_hash: previous,
    data_hash: hash,
    validators_hash: hash,
    next_validators_hash: hash,
    consensus_hash: hash,
    app_hash: previous,
    last_results_hash: previous,
    evidence_hash: previous,
    proposer_address: PRODUCER.toUpperCase(),
  }
}

export function toWireBlock(chain: Chain, block: ChainBlock) {
  return {
    block_id: blockId(block.hash),
    block: {
      header: header(chain, block),
      data: { txs: block.txs.map((bytes) => toBase64(bytes)) },
      evidence: { evidence: [] },
      last_commit: {
        height: String(block.height - 1),
        round: 0,
        block_id: blockId(block.previous),
        signatures: [],
      },
    },
  }
}

export const toWireResult = ({ code, codespace, log, data, gasWanted, gasUsed, events }: Result) => ({
  code,
  data: data.length > 0 ? toBase64(data) : null,
  log,
  info: '',
  gas_wanted: String(gasWanted),
  gas_used: String(gasUsed),
  events: events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value }) => ({ key, value, index: true })),
  })),
  codespace,
})

export const toWireTransaction = ({ hash, height, index, bytes, result }: IndexedTransaction) => ({
  hash,
  height: String(height),
  index,
  tx_result: toWireResult(result),
  tx: toBase64(bytes),
})

function broadcast(chain: Chain, params: Params) {
  try {
    const { hash, result } = chain.broadcast(bytesOf(params.tx))
    return { code: result.code, data: '', log: result.log, codespace: result.codespace, hash }
  } catch (error) {
    if (error instanceof AlreadyKnown) throw new RpcError(-32603, error.message)
    throw error
  }
}

function page<T>(list: readonly T[], params: Params): { list: readonly T[]; total: string } {
  const size = Math.min(Math.max(Number(params.per_page ?? 30) || 30, 1), 100)
  const pages = Math.max(1, Math.ceil(list.length / size))
  const number = Number(params.page ?? 1) || 1
  if (number < 1 || number > pages)
    throw new RpcError(-32602, `page should be within [1, ${pages}] range, given ${number}`)
  const ordered = params.order_by === 'desc' ? list.toReversed() : list
  return { list: ordered.slice((number - 1) * size, number * size), total: String(list.length) }
}

const methods: Record<string, (chain: Chain, params: Params) => unknown> = {
  health: () => ({}),

  status(chain) {
    return {
      node_info: {
        protocol_version: { p2p: '8', block: '11', app: '0' },
        id: '00'.repeat(20),
        listen_addr: 'tcp://127.0.0.1:26656',
        network: chain.genesis.chainId,
        // Clients choose their protocol by this version.
        version: '0.38.17',
        channels: '00',
        moniker: 'development chain',
        other: { tx_index: 'on', rpc_address: 'tcp://127.0.0.1:26657' },
      },
      sync_info: {
        latest_block_hash: chain.appHash(),
        latest_app_hash: chain.appHash(),
        latest_block_height: String(chain.height),
        latest_block_time: time(chain.time),
        earliest_block_hash: EMPTY,
        earliest_app_hash: EMPTY,
        earliest_block_height: '1',
        earliest_block_time: time(chain.genesis.time),
        catching_up: false,
      },
      validator_info: {
        address: PRODUCER,
        pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(new Uint8Array(32)) },
        voting_power: '1',
      },
    }
  },

  abci_info: (chain) => ({
    response: {
      data: 'tidenet-chain',
      version: '0',
      last_block_height: String(chain.height),
      last_block_app_hash: toBase64(fromHex(chain.appHash().toLowerCase())),
    },
  }),

  abci_query(chain, params) {
    const height = String(chain.height)
    try {
      const value = answerQuery(chain, textOf(params.path), fromHex(textOf(params.data)))
      return {
        response: {
          code: 0,
          log: '',
          info: '',
          index: '0',
          key: null,
          value: toBase64(value),
          proofOps: null,
          height,
          codespace: '',
        },
      }
    } catch (error) {
      const { code, codespace, message } = refusalOf(error)
      return {
        response: {
          code,
          log: message,
          info: '',
          index: '0',
          key: null,
          value: null,
          proofOps: null,
          height,
          codespace,
        },
      }
    }
  },

  block(chain, params) {
    const block = chain.block(heightOf(chain, params.height))
    if (!block) throw new RpcError(-32603, 'no block yet')
    return toWireBlock(chain, block)
  },

  block_results(chain, params) {
    const height = heightOf(chain, params.height)
    const transactions = chain.transactions(height)
    if (!transactions) throw new RpcError(-32603, `could not find results for height #${height}`)
    return {
      height: String(height),
      txs_results: transactions.map(({ result }) => toWireResult(result)),
      finalize_block_events: [],
      validator_updates: null,
      consensus_param_updates: null,
      app_hash: chain.appHash(),
    }
  },

  commit(chain, params) {
    const block = chain.block(heightOf(chain, params.height))
    if (!block) throw new RpcError(-32603, 'no block yet')
    return {
      signed_header: {
        header: header(chain, block),
        commit: { height: String(block.height), round: 0, block_id: blockId(block.hash), signatures: [] },
      },
      canonical: true,
    }
  },

  tx(chain, params) {
    const text = textOf(params.hash)
    // POST uses base64, URLs use hex with 0x.
    const hash = /^(0x)?[0-9a-fA-F]{64}$/.test(text)
      ? text.replace(/^0x/, '').toUpperCase()
      : Buffer.from(text, 'base64').toString('hex').toUpperCase()
    const found = chain.find(hash)
    if (!found) throw new RpcError(-32603, `tx (${hash}) not found`)
    return toWireTransaction(found)
  },

  tx_search(chain, params) {
    const found = search(chain, params)
    const { list, total } = page(found, params)
    return { txs: list.map(toWireTransaction), total_count: total }
  },

  broadcast_tx_sync: broadcast,
  broadcast_tx_async: broadcast,

  num_unconfirmed_txs: (chain) => ({
    n_txs: String(chain.waiting),
    total: String(chain.waiting),
    total_bytes: '0',
    txs: null,
  }),

  genesis: (chain) => ({
    genesis: {
      chain_id: chain.genesis.chainId,
      genesis_time: time(chain.genesis.time),
      initial_height: '1',
      app_state: {},
    },
  }),
}

function search(chain: Chain, params: Params): IndexedTransaction[] {
  try {
    return chain.search(textOf(params.query))
  } catch (error) {
    throw new RpcError(-32602, (error as Error).message)
  }
}

export const methodNames: readonly string[] = Object.keys(methods)

/** Calls a method. Throws `RpcError`. */
export function call(chain: Chain, method: string, params: Params): unknown {
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!known) throw new RpcError(-32601, method.slice(0, 80))
  try {
    return known(chain, params)
  } catch (error) {
    if (error instanceof RpcError) throw error
    throw new RpcError(-32603, (error as Error).message)
  }
}
