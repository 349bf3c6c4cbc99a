import { type Amount, ChainRefusal, type ChainTransaction, factsOf, type MessageFacts } from '@tidenet/chain-client'
import { type ChainAmount, type ChainMessage, type DecodedTransaction, FEE_COIN_DECIMALS } from '@tidenet/contract'
import type { Chain, Token, TokenInfo } from './chain.ts'

/** Converts data of the chain to the types of the API. */

const MAX_LOG_LENGTH = 1000
const MAX_CACHED_BLOCK_TIMES = 5000

/** The name of the coin whose smallest unit is given: `utide` → `TIDE`. */
export const feeCoin = (denom: string): string => denom.replace(/^u(?=[a-z])/, '').toUpperCase()

interface Tokens {
  paying: TokenInfo
  /** Undefined if no reward token is configured. */
  rewarding: TokenInfo | undefined
  /** TNT4; undefined if it is not configured. */
  exchanging: TokenInfo | undefined
}

export type WireMapper = ReturnType<typeof wireMapper>

export function wireMapper(chain: Chain) {
  const { port, config, token, orders, rewards, tnt4 } = chain
  const rewardsDenom = `cw20:${rewards?.address}`
  const times = new Map<number, string>()

  /** Empty for a pruned block. */
  async function timeOf(height: number): Promise<string> {
    const known = times.get(height)
    if (known !== undefined) return known
    const time = (await port.block(height))?.time.toISOString() ?? ''
    if (times.size >= MAX_CACHED_BLOCK_TIMES) times.clear()
    times.set(height, time)
    return time
  }

  async function tokens(): Promise<Tokens> {
    // No token at the configured address: everything else still works.
    const infoOf = (token: Token | undefined) =>
      token?.info().catch((error: unknown) => {
        if (!(error instanceof ChainRefusal)) throw error
        return undefined
      })
    const [paying, rewarding, exchanging] = await Promise.all([chain.tokenInfo(), infoOf(rewards), infoOf(tnt4)])
    return { paying, rewarding, exchanging }
  }

  function amountOf(amount: Amount, { paying, rewarding, exchanging }: Tokens): ChainAmount {
    const others: Record<string, TokenInfo | undefined> = {
      [rewardsDenom]: rewarding,
      [`cw20:${tnt4?.address}`]: exchanging,
    }
    const info = amount.of === 'token' ? paying : others[amount.of.denom]
    if (info) return { units: amount.units, decimals: info.decimals, symbol: info.symbol }
    const { denom } = amount.of as { denom: string }
    const ours = denom === config.denom
    return { units: amount.units, decimals: ours ? FEE_COIN_DECIMALS : 0, symbol: ours ? feeCoin(denom) : denom }
  }

  function toWireMessage({ order, amount, ...message }: MessageFacts, info: Tokens): ChainMessage {
    const { newId, ...rest } = order ?? { newId: '' }
    return {
      ...message,
      amount: amount ? amountOf(amount, info) : null,
      order: order ? { ...(rest as Omit<typeof order, 'newId'>), new_id: newId } : null,
    }
  }

  async function transaction(tx: ChainTransaction): Promise<DecodedTransaction> {
    const [info, time] = await Promise.all([tokens(), timeOf(tx.height)])
    const facts = factsOf(tx.bytes, { token, orders, rewardsToken: rewards?.address, exchangeToken: tnt4?.address })
    return {
      hash: tx.hash,
      height: tx.height,
      time,
      ok: tx.code === 0,
      code: tx.code,
      codespace: tx.codespace,
      log: tx.code === 0 ? '' : tx.log.slice(0, MAX_LOG_LENGTH),
      sender: facts?.sender ?? '',
      fee: (facts?.fee ?? []).map(({ denom, units }) => amountOf({ units, of: { denom } }, info)),
      gas_wanted: Number(facts?.gas ?? 0),
      gas_used: tx.gasUsed ?? 0,
      memo: facts?.memo ?? '',
      messages: (facts?.messages ?? []).map((message) => toWireMessage(message, info)),
    }
  }

  const inFeeCoin = (units: bigint, info: Tokens) =>
    amountOf({ units: String(units), of: { denom: config.denom } }, info)
  const inToken = (units: bigint, info: Tokens) => amountOf({ units: String(units), of: 'token' }, info)
  const inRewards = (units: bigint, info: Tokens) =>
    amountOf({ units: String(units), of: { denom: rewardsDenom } }, info)

  return { tokens, inFeeCoin, inToken, inRewards, transaction }
}
