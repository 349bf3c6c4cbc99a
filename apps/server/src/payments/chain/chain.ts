import {
  type ChainPort,
  ChainRefusal,
  ChainUnreachable,
  createChainPort,
  createFees,
  createOperator,
  type Fees,
  type Operator,
} from '@tidenet/chain-client'
import { AppError } from '@tidenet/contract'
import type { ChainConfig } from './config.ts'

export interface TokenInfo {
  name: string
  symbol: string
  decimals: number
}

/** A token of the chain. */
export interface Token {
  address: string
  /** What it says of itself; asked for once. */
  info(): Promise<TokenInfo>
  /** Coins in its smallest unit. */
  units(coins: number): Promise<bigint>
  /** What an address has of it, in units. */
  balance(address: string): Promise<bigint>
}

/**
 * The chain as duties of the server see it: `context.chain`, undefined where the operator has none. Amounts on the wire and in the
 * database are whole coins; on chain they are units, `10 ** tokenDecimals()` to a coin.
 */
export interface Chain {
  config: ChainConfig
  /** Asks and hands in; throws `ChainUnreachable` and `ChainRefusal`, see `answering`. */
  port: ChainPort
  /** What transactions on it cost. */
  fees: Fees
  /** Addresses of the contracts. */
  token: string
  orders: string
  /** What the token says of itself; asked for once. */
  tokenInfo(): Promise<TokenInfo>
  tokenDecimals(): Promise<number>
  /** Coins in the token's smallest unit. */
  units(coins: number): Promise<bigint>
  /** Units in whole coins, rounded down. */
  coins(units: bigint): Promise<number>
  /** What an address has of the token, in units. */
  tokenBalance(address: string): Promise<bigint>
  /** What points are redeemed for; undefined where the operator has no such token. */
  rewards: Token | undefined
  /**
   * Signs for the network, one transaction after the other: `execute(messages)` waits for the block, `submit(messages, { onSigned })`
   * lets the caller write down the hash before anything is sent. Undefined on a server without the key.
   */
  operator: Operator | undefined
}

/** The chain that the configuration names; nothing is asked of it yet. */
export function chainOf(config: ChainConfig, send?: typeof fetch): Chain | undefined {
  if (config.rpc.length === 0) return undefined
  const { id: chainId, rest, denom, gasPrice, gasAdjustment: adjustment } = config
  const port = createChainPort({ urls: config.rpc, chainId, rest, ...(send && { fetch: send }) })
  const fees = createFees({ port, denom, gasPrice, adjustment })
  const token = tokenOf(port, config.token)
  const tokenDecimals = async () => (await token.info()).decimals
  return {
    config,
    port,
    fees,
    token: config.token,
    orders: config.orders,
    tokenInfo: token.info,
    tokenDecimals,
    units: token.units,
    coins: async (units) => Number(units / 10n ** BigInt(await tokenDecimals())),
    tokenBalance: token.balance,
    rewards: config.rewards.token === '' ? undefined : tokenOf(port, config.rewards.token),
    operator: config.key && createOperator({ ...config, chainId, port, fees, privateKey: config.key }),
  }
}

function tokenOf(port: ChainPort, address: string): Token {
  let known: TokenInfo | undefined
  const info = async () => {
    known ??= await port.query<TokenInfo>(address, { token_info: {} })
    return known
  }
  return {
    address,
    info,
    units: async (coins) => BigInt(coins) * 10n ** BigInt((await info()).decimals),
    balance: async (owner) =>
      BigInt((await port.query<{ balance: string }>(address, { balance: { address: owner } })).balance),
  }
}

/** @throws AppError chainNotConfigured where the operator has no chain */
export function demandChain({ chain }: { chain: Chain | undefined }): Chain {
  if (!chain) throw new AppError('chainNotConfigured')
  return chain
}

/**
 * Carries out what asks the chain, for a caller who waits.
 * @throws AppError chainUnavailable when it does not answer
 */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChainUnreachable || error instanceof ChainRefusal) throw new AppError('chainUnavailable')
    throw error
  }
}
