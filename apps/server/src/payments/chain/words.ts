import { type Amount, ChainRefusal, type ChainTransaction, factsOf, type MessageFacts } from '@tidenet/chain-client'
import { type ChainAmount, type ChainMessage, type DecodedTransaction, FEE_COIN_DECIMALS } from '@tidenet/contract'
import type { Chain, TokenInfo } from './chain.ts'

/** What the chain says, in the words of the product. */

const LONGEST_LOG = 1000
/** Times of blocks that are remembered. */
const TIMES = 5000

/** `utide` is counted in TIDE. */
export const feeCoin = (denom: string): string => denom.replace(/^u(?=[a-z])/, '').toUpperCase()

interface Tokens {
  paying: TokenInfo
  /** Undefined where points are redeemed for nothing. */
  rewarding: TokenInfo | undefined
}

export type Words = ReturnType<typeof wordsOf>

export function wordsOf(chain: Chain) {
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

  async function shown(tx: ChainTransaction): Promise<DecodedTransaction> {
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

  const inFeeCoin = (units: bigint, info: Tokens) =>
    amountOf({ units: String(units), of: { denom: config.denom } }, info)
  const inToken = (units: bigint, info: Tokens) => amountOf({ units: String(units), of: 'token' }, info)
  const inRewards = (units: bigint, info: Tokens) =>
    amountOf({ units: String(units), of: { denom: rewardsDenom } }, info)

  return { tokens, inFeeCoin, inToken, inRewards, shown }
}
