import { fromBech32 } from '@cosmjs/encoding'
import { type ChainTransaction, ChainUnreachable } from '@tidenet/chain-client'
import { AppError, type contract, type DecodedTransaction, type Output } from '@tidenet/contract'
import type { Chain } from './chain.ts'
import { type Words, wordsOf } from './words.ts'

/** What everybody may read on the chain, in the words of the product. Public: nothing here looks at accounts of the portal. */

type Block = Output<typeof contract.chain.block>
type Status = Output<typeof contract.chain.status>
type Address = Output<typeof contract.chain.address>

/** Of one search; CometBFT gives no more at once. */
const AT_ONCE = 100

export function createChainExplorer(chain: Chain) {
  const { port, config, token, orders, rewards } = chain
  const words = wordsOf(chain)

  return {
    async status(): Promise<Status> {
      try {
        const { height, time } = await port.status()
        const operator = chain.operator ? await purse(chain, words, chain.operator.address) : null
        return { reachable: true, height, time: time.toISOString(), operator }
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        return { reachable: false, height: 0, time: '', operator: null }
      }
    },

    /** @throws AppError notFound: no block holds it */
    async transaction(hash: string): Promise<DecodedTransaction> {
      const tx = await port.tx(hash)
      if (!tx) throw new AppError('notFound')
      return words.shown(tx)
    },

    /** @throws AppError notFound: it is not there yet, or no longer kept */
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
        // An index may lag behind its chain by a moment.
        list: await Promise.all(txs.flatMap((tx) => (tx ? [words.shown(tx)] : []))),
        total: block.transactions.length,
      }
    },

    /** @throws AppError walletAddress: it is none of this chain */
    async address(text: string, page: number, size: number): Promise<Address> {
      const address = readAddress(text, config.prefix)
      const kind =
        address === token || address === rewards?.address ? 'token' : address === orders ? 'orders' : undefined
      const queries = kind
        ? [`wasm._contract_address='${address}'`]
        : [`tx.fee_payer='${address}'`, `transfer.recipient='${address}'`, `wasm.to='${address}'`]
      const [held, reward, account, { list, more }] = await Promise.all([
        purse(chain, words, address),
        rewards?.balance(address),
        kind ? undefined : port.account(address),
        latest(port, queries, page * size),
      ])
      const earned = reward === undefined ? null : words.inRewards(reward, await words.tokens())
      const some = [held.balance, held.gas, earned].some((amount) => amount !== null && amount.units !== '0')
      const known = account !== undefined || some || list.length > 0
      return {
        ...held,
        rewards: earned,
        kind: kind ?? (known ? 'account' : 'new'),
        list: await Promise.all(list.slice((page - 1) * size).map(words.shown)),
        more,
      }
    },
  }
}

/** What an address has of the token and of the coin for fees. */
async function purse(chain: Chain, { tokens, inToken, inFeeCoin }: Words, address: string) {
  const [info, units, gas] = await Promise.all([
    tokens(),
    chain.tokenBalance(address),
    chain.port.balance(address, chain.config.denom),
  ])
  return { address, balance: inToken(units, info), gas: inFeeCoin(gas, info) }
}

/** The latest so many of several searches together, each once; `more`: there are older ones. */
async function latest(
  port: Chain['port'],
  queries: readonly string[],
  wanted: number,
): Promise<{ list: ChainTransaction[]; more: boolean }> {
  const found = new Map<string, ChainTransaction>()
  let more = false
  await Promise.all(
    queries.map(async (query) => {
      let taken = 0
      for (let page = 1; taken < wanted; page++) {
        const { list, total } = await port.page(query, page, AT_ONCE)
        for (const tx of list) found.set(tx.hash, tx)
        taken += list.length
        if (list.length === 0 || taken >= total) return
      }
      more = true
    }),
  )
  const list = [...found.values()].sort((a, b) => b.height - a.height || (a.hash < b.hash ? -1 : 1))
  return { list: list.slice(0, wanted), more: more || list.length > wanted }
}

/** In the form in which the chain writes it. */
function readAddress(text: string, prefix: string): string {
  try {
    const { prefix: named, data } = fromBech32(text, 1023)
    if (named === prefix && (data.length === 20 || data.length === 32)) return text.toLowerCase()
  } catch {
    // Said below.
  }
  throw new AppError('walletAddress')
}
