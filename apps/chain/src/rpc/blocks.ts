import type { Chain, ChainBlock } from '../chain.ts'
import { heightsOf, parseQuery } from '../query.ts'
import { hashOf, heightOf, integerOf, isDescending, type Params, pageOf, RpcError, textOf } from './parameters.ts'
import {
  consensusParams,
  noBlock,
  toWireBlock,
  toWireCommit,
  toWireHeader,
  toWireMeta,
  toWireResult,
  validator,
} from './wire.ts'

/** Methods about blocks. */

/** Most headers of one call, as of CometBFT. */
const HEADERS_MAX = 20

function requireBlock(chain: Chain, height: number): ChainBlock {
  const block = chain.block(height)
  if (!block) throw new RpcError(-32603, 'no block yet')
  return block
}

const blockOf = (chain: Chain, params: Params): ChainBlock => requireBlock(chain, heightOf(chain, params.height))

export const blockMethods = {
  block: (chain: Chain, params: Params) => toWireBlock(chain, blockOf(chain, params)),

  block_by_hash(chain: Chain, params: Params) {
    const block = chain.blockByHash(hashOf(params.hash))
    return block ? toWireBlock(chain, block) : noBlock
  },

  header: (chain: Chain, params: Params) => ({ header: toWireHeader(chain, blockOf(chain, params)) }),

  header_by_hash(chain: Chain, params: Params) {
    const block = chain.blockByHash(hashOf(params.hash))
    return { header: block ? toWireHeader(chain, block) : null }
  },

  /** The newest first. */
  blockchain(chain: Chain, params: Params) {
    const least = integerOf('minHeight', params.minHeight) ?? 0
    const most = integerOf('maxHeight', params.maxHeight) ?? 0
    if (least < 0 || most < 0) throw new RpcError(-32603, 'heights must be non-negative')
    const to = Math.min(most || chain.height, chain.height)
    const from = Math.max(least || 1, to - HEADERS_MAX + 1, 1)
    if (from > to) throw new RpcError(-32603, `min height ${from} can't be greater than max height ${to}`)
    const heights = Array.from({ length: to - from + 1 }, (_, at) => to - at)
    return {
      last_height: String(chain.height),
      block_metas: heights.map((height) => toWireMeta(chain, requireBlock(chain, height))),
    }
  },

  block_results(chain: Chain, params: Params) {
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

  /** Blocks have no events of their own, so only their heights can be searched. */
  block_search(chain: Chain, params: Params) {
    const conditions = parseQuery(textOf(params.query)).filter(({ key }) => key !== 'tm.event')
    const { from, to } = heightsOf(conditions, 'block.height', chain.height)
    const isKnown = conditions.every(({ key, sign }) => key === 'block.height' && sign !== 'CONTAINS')
    const total = isKnown ? Math.max(0, to - from + 1) : 0
    const { skip, size } = pageOf(total, params)
    const heights = Array.from({ length: Math.min(size, total - skip) }, (_, at) =>
      isDescending(params, true) ? to - skip - at : from + skip + at,
    )
    return {
      blocks: heights.map((height) => toWireBlock(chain, requireBlock(chain, height))),
      total_count: String(total),
    }
  },

  commit: (chain: Chain, params: Params) => toWireCommit(chain, blockOf(chain, params)),

  validators(chain: Chain, params: Params) {
    // As of CometBFT, those of the next block are known.
    const height = heightOf(chain, params.height, chain.height + 1)
    pageOf(1, params)
    return {
      block_height: String(height),
      validators: [{ ...validator, proposer_priority: '0' }],
      count: '1',
      total: '1',
    }
  },

  consensus_params: (chain: Chain, params: Params) => ({
    block_height: String(heightOf(chain, params.height, chain.height + 1)),
    consensus_params: consensusParams,
  }),
}
