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
  /** Queried once. */
  info(): Promise<TokenInfo>
  /** Coins to units. */
  units(coins: number): Promise<bigint>
  /** In units. */
  balance(address: string): Promise<bigint>
}

/** Access to the chain. The API and the database count whole coins; the chain counts units: `10 ** tokenDecimals()` per coin. */
export interface Chain {
  config: ChainConfig
  /** Queries and broadcasts; throws `ChainUnreachable` and `ChainRefusal`, see `mapChainErrors`. */
  port: ChainPort
  fees: Fees
  /** Addresses of the contracts. */
  token: string
  orders: string
  /** Queried once. */
  tokenInfo(): Promise<TokenInfo>
  tokenDecimals(): Promise<number>
  /** Coins to units. */
  units(coins: number): Promise<bigint>
  /** Units to whole coins, rounded down. */
  coins(units: bigint): Promise<number>
  /** In units. */
  tokenBalance(address: string): Promise<bigint>
  /** The token that points are redeemed for; undefined if none is configured. */
  rewards: Token | undefined
  /** TNT4, which the points exchange takes; undefined if none is configured. */
  tnt4: Token | undefined
  /**
   * Signs for the network, one transaction at a time. `execute(messages)` waits for the block; `submit(messages, { onSigned })` lets the
   * caller store the hash before the transaction is broadcast. Undefined on a server without the key.
   */
  operator: Operator | undefined
}

/** The configured chain; sends no request yet. */
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
    tnt4: config.exchangeToken === '' ? undefined : tokenOf(port, config.exchangeToken),
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

/** @throws AppError chainNotConfigured if no chain is configured */
export function requireChain({ chain }: { chain: Chain | undefined }): Chain {
  if (!chain) throw new AppError('chainNotConfigured')
  return chain
}

/** Runs queries of the chain for an API call. @throws AppError chainUnavailable if the chain does not answer */
export async function mapChainErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ChainUnreachable || error instanceof ChainRefusal) throw new AppError('chainUnavailable')
    throw error
  }
}
