import { fromBech32 } from '@cosmjs/encoding'
import { type ChainTransaction, ChainUnreachable } from '@tidenet/chain-client'
import { AppError, type contract, type DecodedTransaction, type Output } from '@tidenet/contract'
import type { Chain } from './chain.ts'
import { type WireMapper, wireMapper } from './wire.ts'

/** Public chain explorer; it never reads portal accounts. */

type Block = Output<typeof contract.chain.block>
type Status = Output<typeof contract.chain.status>
type Address = Output<typeof contract.chain.address>

/** CometBFT's maximum page size. */
const SEARCH_PAGE_SIZE = 100

export function createChainExplorer(chain: Chain) {
  const { port, config, token, orders, rewards, tnt4 } = chain
  const wire = wireMapper(chain)

  return {
    async status(): Promise<Status> {
      try {
        const { height, time } = await port.status()
        const operator = chain.operator ? await balancesOf(chain, wire, chain.operator.address) : null
        return { reachable: true, height, time: time.toISOString(), operator }
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        return { reachable: false, height: 0, time: '', operator: null }
      }
    },

    /** @throws AppError notFound if it is in no block */
    async transaction(hash: string): Promise<DecodedTransaction> {
      const tx = await port.tx(hash)
      if (!tx) throw new AppError('notFound')
      return wire.transaction(tx)
    },

    /** @throws AppError notFound if it does not exist yet or was pruned */
    async block(height: number | undefined, page: number, size: number): Promise<Block> {
      const { height: newest } = await port.status()
      const wanted = height ?? newest
      const block = wanted > newest ? undefined : await port.block(wanted)
      if (!block) throw new AppError('notFound')
      const hashes = block.transactions.slice((page - 1) * size, page * size)
      const txs = await Promise.all(hashes.map((hash) => port.tx(hash)))
      return {
        height: block.height,
        hash: block.hash,
        time: block.time.toISOString(),
        proposer: block.proposer,
        latest: newest,
        // The index may lag behind the chain.
        list: await Promise.all(txs.flatMap((tx) => (tx ? [wire.transaction(tx)] : []))),
        total: block.transactions.length,
      }
    },

    /** @throws AppError walletAddress if it is not an address of this chain */
    async address(text: string, page: number, size: number): Promise<Address> {
      const address = readAddress(text, config.prefix)
      const kind =
        address === token || address === rewards?.address || address === tnt4?.address
          ? 'token'
          : address === orders
            ? 'orders'
            : undefined
      const queries = kind
        ? [`wasm._contract_address='${address}'`]
        : [`tx.fee_payer='${address}'`, `transfer.recipient='${address}'`, `wasm.to='${address}'`]
      const [balances, reward, account, { list, more }] = await Promise.all([
        balancesOf(chain, wire, address),
        rewards?.balance(address),
        kind ? undefined : port.account(address),
        latest(port, queries, page * size),
      ])
      const earned = reward === undefined ? null : wire.inRewards(reward, await wire.tokens())
      const some = [balances.balance, balances.gas, earned].some((amount) => amount !== null && amount.units !== '0')
      const known = account !== undefined || some || list.length > 0
      return {
        ...balances,
        rewards: earned,
        kind: kind ?? (known ? 'account' : 'new'),
        list: await Promise.all(list.slice((page - 1) * size).map(wire.transaction)),
        more,
      }
    },
  }
}

/** Balances of the token and of the fee coin. */
async function balancesOf(chain: Chain, { tokens, inToken, inFeeCoin }: WireMapper, address: string) {
  const [info, units, gas] = await Promise.all([
    tokens(),
    chain.tokenBalance(address),
    chain.port.balance(address, chain.config.denom),
  ])
  return { address, balance: inToken(units, info), gas: inFeeCoin(gas, info) }
}

/** The latest results of several searches, without duplicates; `more`: there are older ones. */
async function latest(
  port: Chain['port'],
  queries: readonly string[],
  limit: number,
): Promise<{ list: ChainTransaction[]; more: boolean }> {
  const found = new Map<string, ChainTransaction>()
  let more = false
  await Promise.all(
    queries.map(async (query) => {
      let read = 0
      for (let page = 1; read < limit; page++) {
        const { list, total } = await port.page(query, page, SEARCH_PAGE_SIZE)
        for (const tx of list) found.set(tx.hash, tx)
        read += list.length
        if (list.length === 0 || read >= total) return
      }
      more = true
    }),
  )
  const list = [...found.values()].sort((a, b) => b.height - a.height || (a.hash < b.hash ? -1 : 1))
  return { list: list.slice(0, limit), more: more || list.length > limit }
}

/** The address in lower case. */
function readAddress(text: string, prefix: string): string {
  try {
    const { prefix: named, data } = fromBech32(text, 1023)
    if (named === prefix && (data.length === 20 || data.length === 32)) return text.toLowerCase()
  } catch {
    // Rejected below.
  }
  throw new AppError('walletAddress')
}
