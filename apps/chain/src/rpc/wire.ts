import { toBase64 } from '@cosmjs/encoding'
import { A_BLOCK, type Chain, type ChainBlock } from '../chain.ts'
import type { Result } from '../state/app.ts'
import { TX_BYTES_MAX } from '../state/transactions.ts'
import type { IndexedTransaction } from '../transaction-index.ts'

/** JSON of CometBFT 0.38. Large integers are strings, hashes upper-case hex, bytes base64. */

const EMPTY = ''
const NOTHING = { hash: EMPTY, parts: { total: 0, hash: EMPTY } }

/**
 * The only block producer. There is no consensus, so nobody signs blocks: its address and key are zeros, and commits have no signatures.
 * A client that verifies blocks must refuse them.
 */
export const PRODUCER = '00'.repeat(20)
const NO_KEY = { type: 'tendermint/PubKeyEd25519', value: toBase64(new Uint8Array(32)) }
export const validator = { address: PRODUCER, pub_key: NO_KEY, voting_power: '1' }
export const genesisValidator = { address: PRODUCER, pub_key: NO_KEY, power: '1', name: 'development chain' }

/** What blocks are limited to. The others are what CometBFT begins with: without validators there is no evidence. */
export const consensusParams = {
  block: { max_bytes: String(A_BLOCK * TX_BYTES_MAX), max_gas: '-1' },
  evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
  validator: { pub_key_types: ['ed25519'] },
  version: { app: '0' },
  abci: { vote_extensions_enable_height: '0' },
}

export const toWireTime = (ms: number): string => new Date(ms).toISOString()
const blockId = (hash: string) => ({ hash, parts: { total: 1, hash } })

export function toWireHeader(chain: Chain, { height, time, hash, previous }: ChainBlock) {
  return {
    version: { block: '11', app: '0' },
    chain_id: chain.genesis.chainId,
    height: String(height),
    time: toWireTime(time),
    last_block_id: height > 1 ? blockId(previous) : NOTHING,
    // Hashes of single parts prove nothing here, but clients need some.
    last_commit_hash: previous,
    data_hash: hash,
    validators_hash: hash,
    next_validators_hash: hash,
    consensus_hash: hash,
    app_hash: previous,
    last_results_hash: previous,
    evidence_hash: previous,
    proposer_address: PRODUCER,
  }
}

const commitOf = (height: number, hash: string) => ({
  height: String(height),
  round: 0,
  block_id: height > 0 ? blockId(hash) : NOTHING,
  signatures: [],
})

export const toWireBlock = (chain: Chain, block: ChainBlock) => ({
  block_id: blockId(block.hash),
  block: {
    header: toWireHeader(chain, block),
    data: { txs: block.txs.map((bytes) => toBase64(bytes)) },
    evidence: { evidence: [] },
    last_commit: commitOf(block.height - 1, block.previous),
  },
})

/** As CometBFT answers for a hash that no block has. */
export const noBlock = { block_id: NOTHING, block: null }

export const toWireMeta = (chain: Chain, block: ChainBlock) => ({
  block_id: blockId(block.hash),
  // Blocks are not encoded as a whole: this is the size of their transactions.
  block_size: String(block.txs.reduce((sum, { length }) => sum + length, 0)),
  header: toWireHeader(chain, block),
  num_txs: String(block.txs.length),
})

export const toWireCommit = (chain: Chain, block: ChainBlock) => ({
  signed_header: { header: toWireHeader(chain, block), commit: commitOf(block.height, block.hash) },
  // As of CometBFT: the commit of the latest block is final with the next block.
  canonical: block.height < chain.height,
})

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
