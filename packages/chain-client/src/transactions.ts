import { fromBase64, fromHex, toBase64, toHex } from '@cosmjs/encoding'
import type { ChainPort } from './chain-port.ts'
import { type Rpc, RpcFailure } from './rpc.ts'
import type { ChainTransaction } from './verify.ts'

/** Queries about blocks. */

const PAGE = 100
const PAGES = 20

interface RpcResult {
  code: number
  codespace: string
  log: string
  gas_used?: string
  events: { type: string; attributes: { key: string; value: string }[] }[]
}
interface RpcTransaction {
  hash: string
  height: string
  tx: string
  tx_result: RpcResult
}

interface RpcBlock {
  block_id: { hash: string }
  block: { header: { height: string; time: string; proposer_address: string }; data: { txs: string[] } }
}

type Methods = Pick<ChainPort, 'tx' | 'search' | 'page' | 'block'>

export const transactionsOf = ({ call }: Rpc): Methods => ({
  async tx(hash) {
    try {
      return readTransaction(
        await call<RpcTransaction>('tx', { hash: toBase64(fromHex(hash.toLowerCase())), prove: false }),
      )
    } catch (error) {
      if (error instanceof RpcFailure && /not found/.test(error.message)) return undefined
      throw error
    }
  },

  async search(query) {
    const found: ChainTransaction[] = []
    for (let page = 1; page <= PAGES; page++) {
      const { txs, total_count } = await call<{ txs: RpcTransaction[]; total_count: string }>('tx_search', {
        query,
        prove: false,
        page: String(page),
        per_page: String(PAGE),
        order_by: 'asc',
      })
      found.push(...txs.map(readTransaction))
      if (found.length >= Number(total_count) || txs.length === 0) break
    }
    return found
  },

  async page(query, page, size) {
    try {
      const { txs, total_count } = await call<{ txs: RpcTransaction[]; total_count: string }>('tx_search', {
        query,
        prove: false,
        page: String(page),
        per_page: String(size),
        order_by: 'desc',
      })
      return { list: txs.map(readTransaction), total: Number(total_count) }
    } catch (error) {
      // A page after the last one.
      if (error instanceof RpcFailure && /page should be within/.test(error.message)) return { list: [], total: 0 }
      throw error
    }
  },

  async block(height) {
    try {
      const { block_id, block } = await call<RpcBlock>('block', { height: String(height) })
      return {
        height: Number(block.header.height),
        hash: block_id.hash.toUpperCase(),
        time: new Date(block.header.time),
        proposer: block.header.proposer_address,
        transactions: await Promise.all(block.data.txs.map((text) => hashOf(fromBase64(text)))),
      }
    } catch (error) {
      if (error instanceof RpcFailure && /height \d+ (must be|is not available)|no block yet/.test(error.message))
        return undefined
      throw error
    }
  },
})

export async function hashOf(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource))).toUpperCase()
}

const readTransaction = ({ hash, height, tx, tx_result }: RpcTransaction): ChainTransaction => ({
  hash: hash.toUpperCase(),
  height: Number(height),
  code: tx_result.code,
  codespace: tx_result.codespace ?? '',
  log: tx_result.log ?? '',
  bytes: fromBase64(tx),
  gasUsed: Number(tx_result.gas_used ?? 0),
  events: tx_result.events,
})
