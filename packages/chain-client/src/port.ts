import { fromBase64, fromHex, fromUtf8, toBase64, toHex, toUtf8 } from '@cosmjs/encoding'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { QuerySmartContractStateRequest, QuerySmartContractStateResponse } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { gasUsedIn, priceIn, simulateRequest } from './gas.ts'
import type { ChainTransaction } from './verify.ts'

/** A chain that cannot be asked right now, or is another one than was expected. */
export class ChainUnreachable extends Error {}
/** What the chain refused, by its own number. */
export class ChainRefusal extends Error {
  readonly codespace: string
  readonly code: number
  /** Another address was asked before and did not answer: what was refused here may have been taken there. */
  uncertain = false

  constructor(codespace: string, code: number, message: string) {
    super(message)
    this.codespace = codespace
    this.code = code
  }
}

export interface ChainPortOptions {
  /** CometBFT RPCs of one chain, the preferred first. */
  urls: readonly string[]
  chainId: string
  /** The REST of the same chain, for what the RPC does not tell. */
  rest?: string
  /** Ms for one answer. */
  timeout?: number
  fetch?: typeof fetch
}

/** What the network asks of a chain. */
export interface ChainPort {
  /** Refuses another chain than the one of the settings, and one that is still catching up. */
  status(): Promise<{ height: number; time: Date }>
  /** Undefined for who never got coins. */
  account(address: string): Promise<{ number: number; sequence: number } | undefined>
  balance(address: string, denom: string): Promise<bigint>
  query<T>(contract: string, question: object): Promise<T>
  /** Undefined as long as no block holds it. */
  tx(hash: string): Promise<ChainTransaction | undefined>
  search(query: string): Promise<ChainTransaction[]>
  /** One page of a search, the latest first; `page` from 1, `size` at most 100. */
  page(query: string, page: number, size: number): Promise<{ list: ChainTransaction[]; total: number }>
  /** Undefined for a height that is not there yet, or no longer kept. */
  block(height: number): Promise<ChainBlock | undefined>
  /** Gas that a transaction would use now; its signatures may be missing. Throws a `ChainRefusal` for one that would fail. */
  simulate(bytes: Uint8Array): Promise<number>
  /** The least fee in a coin for a unit of gas that a node takes; undefined when it names none. */
  gasPrice(denom: string): Promise<number | undefined>
  /** Hands in a signed transaction. What the node does not take is a `ChainRefusal`; `known` when it has it already. */
  broadcast(bytes: Uint8Array): Promise<{ hash: string; known: boolean }>
}

/** A block as a node tells it; `transactions` are their hashes. */
export interface ChainBlock {
  height: number
  /** Hex in capitals. */
  hash: string
  time: Date
  proposer: string
  transactions: string[]
}

const TIMEOUT = 10_000
const PAGE = 100
const PAGES = 20

interface ShownResult {
  code: number
  codespace: string
  log: string
  gas_used?: string
  events: { type: string; attributes: { key: string; value: string }[] }[]
}
interface ShownTransaction {
  hash: string
  height: string
  tx: string
  tx_result: ShownResult
}

interface ShownBlock {
  block_id: { hash: string }
  block: { header: { height: string; time: string; proposer_address: string }; data: { txs: string[] } }
}

/** Speaks with a chain by its RPC; another address is tried when one does not answer. */
export function createChainPort({
  urls,
  chainId,
  rest = '',
  timeout = TIMEOUT,
  fetch: send = fetch,
}: ChainPortOptions): ChainPort {
  // Whether this address was found to be of the right chain.
  const trusted = new Set<string>()

  async function ask<T>(url: string, method: string, params: object): Promise<T> {
    let answer: Response
    try {
      answer = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(timeout),
      })
    } catch (error) {
      throw new ChainUnreachable(`${method}: ${(error as Error).message}`)
    }
    const body = (await answer.json().catch(() => undefined)) as
      | { result?: T; error?: { message: string; data?: string } }
      | undefined
    if (body?.error) throw new RpcFailure(`${body.error.data ?? body.error.message}`)
    if (!answer.ok || body?.result === undefined) throw new ChainUnreachable(`${method}: HTTP ${answer.status}`)
    return body.result
  }

  async function trust(url: string): Promise<void> {
    if (trusted.has(url)) return
    const { node_info, sync_info } = await ask<{
      node_info: { network: string }
      sync_info: { catching_up: boolean }
    }>(url, 'status', {})
    if (node_info.network !== chainId)
      throw new ChainUnreachable(`the chain there is ${node_info.network}, not ${chainId}`)
    if (sync_info.catching_up) throw new ChainUnreachable('the node is still catching up')
    trusted.add(url)
  }

  /** @param onSilence told of each address that was asked and did not answer */
  async function call<T>(method: string, params: object, onSilence = () => {}): Promise<T> {
    let last: unknown = new ChainUnreachable('no address of a chain is set')
    for (const url of urls) {
      let asked = false
      try {
        await trust(url)
        asked = true
        return await ask<T>(url, method, params)
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        if (asked) onSilence()
        // Whoever comes back may be another chain.
        trusted.delete(url)
        last = error
      }
    }
    throw last
  }

  /** A node that tells it only there. What cannot be asked is not known. */
  async function priceOfRest(denom: string): Promise<number | undefined> {
    if (rest === '') return undefined
    try {
      const answer = await send(`${rest}/cosmos/base/node/v1beta1/config`, { signal: AbortSignal.timeout(timeout) })
      const body = (await answer.json()) as { minimum_gas_price?: unknown }
      return priceIn(String(body.minimum_gas_price ?? ''), denom)
    } catch {
      return undefined
    }
  }

  async function abci(path: string, request: Uint8Array): Promise<Uint8Array> {
    const { response } = await call<{
      response: { code: number; codespace: string; log: string; value: string | null }
    }>('abci_query', { path, data: toHex(request), prove: false })
    if (response.code !== 0) throw new ChainRefusal(response.codespace, response.code, response.log)
    return fromBase64(response.value ?? '')
  }

  return {
    async status() {
      const { sync_info } = await call<{ sync_info: { latest_block_height: string; latest_block_time: string } }>(
        'status',
        {},
      )
      return { height: Number(sync_info.latest_block_height), time: new Date(sync_info.latest_block_time) }
    },

    async account(address) {
      try {
        const request = QueryAccountRequest.encode({ address }).finish()
        const { account } = QueryAccountResponse.decode(await abci('/cosmos.auth.v1beta1.Query/Account', request))
        if (!account) return undefined
        const { accountNumber, sequence } = BaseAccount.decode(account.value)
        return { number: Number(accountNumber), sequence: Number(sequence) }
      } catch (error) {
        if (error instanceof ChainRefusal && /code = NotFound/.test(error.message)) return undefined
        throw error
      }
    },

    async balance(address, denom) {
      const request = QueryBalanceRequest.encode({ address, denom }).finish()
      const { balance } = QueryBalanceResponse.decode(await abci('/cosmos.bank.v1beta1.Query/Balance', request))
      return BigInt(balance?.amount ?? '0')
    },

    async simulate(txBytes) {
      try {
        const used = gasUsedIn(await abci('/cosmos.tx.v1beta1.Service/Simulate', simulateRequest(txBytes)))
        if (used !== undefined) return used
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error
      }
      throw new ChainRefusal('sdk', 18, 'the node does not try transactions')
    },

    async gasPrice(denom) {
      try {
        const answer = await abci('/cosmos.base.node.v1beta1.Service/Config', ConfigRequest.encode({}).finish())
        return priceIn(ConfigResponse.decode(answer).minimumGasPrice, denom)
      } catch (error) {
        if (!(error instanceof ChainRefusal) && !(error instanceof RpcFailure)) throw error
      }
      return priceOfRest(denom)
    },

    async query<T>(contract: string, question: object): Promise<T> {
      const request = QuerySmartContractStateRequest.encode({
        address: contract,
        queryData: toUtf8(JSON.stringify(question)),
      }).finish()
      const { data } = QuerySmartContractStateResponse.decode(
        await abci('/cosmwasm.wasm.v1.Query/SmartContractState', request),
      )
      return JSON.parse(fromUtf8(data)) as T
    },

    async tx(hash) {
      try {
        return readTransaction(
          await call<ShownTransaction>('tx', { hash: toBase64(fromHex(hash.toLowerCase())), prove: false }),
        )
      } catch (error) {
        if (error instanceof RpcFailure && /not found/.test(error.message)) return undefined
        throw error
      }
    },

    async search(query) {
      const found: ChainTransaction[] = []
      for (let page = 1; page <= PAGES; page++) {
        const { txs, total_count } = await call<{ txs: ShownTransaction[]; total_count: string }>('tx_search', {
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
        const { txs, total_count } = await call<{ txs: ShownTransaction[]; total_count: string }>('tx_search', {
          query,
          prove: false,
          page: String(page),
          per_page: String(size),
          order_by: 'desc',
        })
        return { list: txs.map(readTransaction), total: Number(total_count) }
      } catch (error) {
        // A page behind the last one.
        if (error instanceof RpcFailure && /page should be within/.test(error.message)) return { list: [], total: 0 }
        throw error
      }
    },

    async block(height) {
      try {
        const { block_id, block } = await call<ShownBlock>('block', { height: String(height) })
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

    async broadcast(bytes) {
      let uncertain = false
      try {
        const { code, codespace, log, hash } = await call<{
          code: number
          codespace: string
          log: string
          hash: string
        }>('broadcast_tx_sync', { tx: toBase64(bytes) }, () => {
          uncertain = true
        })
        if (code !== 0) throw Object.assign(new ChainRefusal(codespace, code, log), { uncertain })
        return { hash, known: false }
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error
        // No room among what waits, or another reason of the node's own.
        if (!/already exists in cache/.test(error.message))
          throw Object.assign(new ChainRefusal('sdk', 20, error.message), { uncertain })
        return { hash: await hashOf(bytes), known: true }
      }
    },
  }
}

/** An answer that says no, in the words of the node. */
class RpcFailure extends Error {}

async function hashOf(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource))).toUpperCase()
}

const readTransaction = ({ hash, height, tx, tx_result }: ShownTransaction): ChainTransaction => ({
  hash: hash.toUpperCase(),
  height: Number(height),
  code: tx_result.code,
  codespace: tx_result.codespace ?? '',
  log: tx_result.log ?? '',
  bytes: fromBase64(tx),
  gasUsed: Number(tx_result.gas_used ?? 0),
  events: tx_result.events,
})
