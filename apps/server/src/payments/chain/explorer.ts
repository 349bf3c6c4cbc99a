import { fromBech32 } from '@cosmjs/encoding'
import {
  type Amount,
  ChainRefusal,
  type ChainTransaction,
  ChainUnreachable,
  factsOf,
  type MessageFacts,
} from '@tidenet/chain-client'
import {
  AppError,
  type ChainAmount,
  type ChainMessage,
  type ChainTransactionShown,
  type contract,
  FEE_COIN_DECIMALS,
  type Output,
} from '@tidenet/contract'
import type { Chain, TokenInfo } from './chain.ts'

/** What everybody may read on the chain, in the words of the product. Public: nothing here looks at accounts of the portal. */

type Block = Output<typeof contract.chain.block>
type Status = Output<typeof contract.chain.status>
type Address = Output<typeof contract.chain.address>

const LONGEST_LOG = 1000
/** Of one search; CometBFT gives no more at once. */
const AT_ONCE = 100
/** Times of blocks that are remembered. */
const TIMES = 5000

/** `utide` is counted in TIDE. */
export const feeCoin = (denom: string): string => denom.replace(/^u(?=[a-z])/, '').toUpperCase()

interface Tokens {
  paying: TokenInfo
  /** Undefined where points are redeemed for nothing. */
  rewarding: TokenInfo | undefined
}

export function createChainExplorer(chain: Chain) {
  const { port, config, token, orders, rewards } = chain
  const rewardsDenom = `cw20:${rewards?.address}`
  const times = new Map<number, string>()

  /** Empty for a block that is no longer kept. */
  async function timeOf(height: number): Promise<string> {
    const known = times.get(height)
    if (known !== undefined) return known
    const time = (await port.block(height))?.time.toISOString() ?? ''
    if (times.size >= TIMES) times.clear()
    times.set(height, time)
    return time
  }

  /** What the tokens say of themselves. */
  async function tokens(): Promise<Tokens> {
    const [paying, rewarding] = await Promise.all([
      chain.tokenInfo(),
      rewards?.info().catch((error: unknown) => {
        // An address without a token: all else can be told still.
        if (!(error instanceof ChainRefusal)) throw error
        return undefined
      }),
    ])
    return { paying, rewarding }
  }

  function amountOf(amount: Amount, { paying, rewarding }: Tokens): ChainAmount {
    const info = amount.of === 'token' ? paying : amount.of.denom === rewardsDenom ? rewarding : undefined
    if (info) return { units: amount.units, decimals: info.decimals, symbol: info.symbol }
    const { denom } = amount.of as { denom: string }
    const ours = denom === config.denom
    return { units: amount.units, decimals: ours ? FEE_COIN_DECIMALS : 0, symbol: ours ? feeCoin(denom) : denom }
  }

  function shownMessage({ order, amount, ...message }: MessageFacts, info: Tokens): ChainMessage {
    const { newId, ...rest } = order ?? { newId: '' }
    return {
      ...message,
      amount: amount ? amountOf(amount, info) : null,
      order: order ? { ...(rest as Omit<typeof order, 'newId'>), new_id: newId } : null,
    }
  }

  async function shown(tx: ChainTransaction): Promise<ChainTransactionShown> {
    const [info, time] = await Promise.all([tokens(), timeOf(tx.height)])
    const facts = factsOf(tx.bytes, { token, orders, rewardsToken: rewards?.address })
    return {
      hash: tx.hash,
      height: tx.height,
      time,
      ok: tx.code === 0,
      code: tx.code,
      codespace: tx.codespace,
      log: tx.code === 0 ? '' : tx.log.slice(0, LONGEST_LOG),
      sender: facts?.sender ?? '',
      fee: (facts?.fee ?? []).map(({ denom, units }) => amountOf({ units, of: { denom } }, info)),
      gas_wanted: Number(facts?.gas ?? 0),
      gas_used: tx.gasUsed ?? 0,
      memo: facts?.memo ?? '',
      messages: (facts?.messages ?? []).map((message) => shownMessage(message, info)),
    }
  }

  /** The latest so many of several searches together, each once; `more`: there are older ones. */
  async function latest(
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

  async function purse(address: string) {
    const [info, units, gas] = await Promise.all([
      tokens(),
      chain.tokenBalance(address),
      port.balance(address, config.denom),
    ])
    return {
      address,
      balance: amountOf({ units: String(units), of: 'token' }, info),
      gas: amountOf({ units: String(gas), of: { denom: config.denom } }, info),
    }
  }

  return {
    async status(): Promise<Status> {
      try {
        const { height, time } = await port.status()
        const operator = chain.operator ? await purse(chain.operator.address) : null
        return { reachable: true, height, time: time.toISOString(), operator }
      } catch (error) {
        if (!(error instanceof ChainUnreachable)) throw error
        return { reachable: false, height: 0, time: '', operator: null }
      }
    },

    /** @throws AppError notFound: no block holds it */
    async transaction(hash: string): Promise<ChainTransactionShown> {
      const tx = await port.tx(hash)
      if (!tx) throw new AppError('notFound')
      return shown(tx)
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
        list: await Promise.all(txs.flatMap((tx) => (tx ? [shown(tx)] : []))),
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
        purse(address),
        rewards?.balance(address),
        kind ? undefined : port.account(address),
        latest(queries, page * size),
      ])
      const earned =
        reward === undefined ? null : amountOf({ units: String(reward), of: { denom: rewardsDenom } }, await tokens())
      const some = [held.balance, held.gas, earned].some((amount) => amount !== null && amount.units !== '0')
      const known = account !== undefined || some || list.length > 0
      return {
        ...held,
        rewards: earned,
        kind: kind ?? (known ? 'account' : 'new'),
        list: await Promise.all(list.slice((page - 1) * size).map(shown)),
        more,
      }
    },
  }
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
