import { readFileSync } from 'node:fs'
import { USUAL_ADJUSTMENT } from '@tidenet/chain-client'
import { ConfigError, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'

/** The chain that the network pays on. */
export interface ChainConfig {
  /** CometBFT RPC URLs, preferred first; empty: no chain. */
  rpc: readonly string[]
  /** REST URL of the same chain, for wallets; empty: not forwarded. */
  rest: string
  id: string
  /** Prefix of addresses. */
  prefix: string
  /** The smallest unit of the coin that pays fees. */
  denom: string
  /** Addresses of the contracts. */
  token: string
  orders: string
  /** The operator key, 32 bytes; without it this server pays no claims and ends no orders. */
  key: Buffer | undefined
  /** Fee per unit of gas; by default what the chain reports. */
  gasPrice: number | undefined
  /** The gas limit is the simulated gas times this factor. */
  gasAdjustment: number
  /** Whether it is the development chain of this repository. */
  development: boolean
  faucet: FaucetConfig
  rewards: RewardsConfig
  /** Address of TNT4, which the points exchange takes; empty: none. */
  exchangeToken: string
}

export interface RewardsConfig {
  /** Address of the reward token; empty: points cannot be redeemed. */
  token: string
  /** Whole coins per point. */
  rate: number
  /** Minimum points per redemption. */
  min: number
}

export interface FaucetConfig {
  /** Whole coins per claim, and per hour for all claims. */
  amount: number
  hourly: number
  /** Coins for gas fees sent with each claim, in the smallest unit. */
  gas: bigint
  /** Time zone of days and hours, in minutes ahead of UTC. */
  zone: number
  /** Claims per day and client network. */
  perNetwork: number
}

const urls = z.preprocess(
  (text) =>
    text
      ? String(text)
          .split(',')
          .map((each) => each.trim().replace(/\/$/, ''))
      : [],
  z.array(z.url({ protocol: /^https?$/, error: 'expected URLs such as http://127.0.0.1:26657' })),
)
const address = z.string().regex(/^[a-z\d]{10,130}$/, 'expected a contract address')
const coins = z.coerce.number().int().min(1).max(1_000_000_000)

/**
 * @param unlimited during development all callers have one address, so claims per client network are practically unlimited
 * @throws StartError naming every invalid variable
 */
export function readChainConfig(env: Readonly<Record<string, string | undefined>>, unlimited: boolean): ChainConfig {
  const given = readConfig(
    {
      rpc: { from: 'TIDENET_CHAIN_RPC', type: urls },
      rest: { from: 'TIDENET_CHAIN_REST', type: urls },
      id: {
        from: 'TIDENET_CHAIN_ID',
        type: z
          .string()
          .regex(/^[\w.-]{1,50}$/, 'expected a chain ID, such as tidenet-devnet-1')
          .default('tidenet-devnet-1'),
      },
      prefix: {
        from: 'TIDENET_CHAIN_PREFIX',
        type: z
          .string()
          .regex(/^[a-z][a-z\d]{0,20}$/, 'expected lower-case letters, such as tide')
          .default('tide'),
      },
      denom: {
        from: 'TIDENET_CHAIN_DENOM',
        type: z
          .string()
          .regex(/^[a-zA-Z][\w/:.-]{2,127}$/, 'expected the smallest unit of the fee coin, such as utide')
          .optional(),
      },
      token: { from: 'TIDENET_CHAIN_TOKEN', type: address.optional() },
      orders: { from: 'TIDENET_CHAIN_ORDERS', type: address.optional() },
      rewardsToken: { from: 'TIDENET_CHAIN_REWARDS_TOKEN', type: address.optional() },
      exchangeToken: { from: 'TIDENET_EXCHANGE_TOKEN', type: z.union([z.literal(''), address]).default('') },
      rewardRate: { from: 'TIDENET_REWARD_RATE', type: z.coerce.number().int().min(1).max(1_000_000).default(1) },
      rewardMin: { from: 'TIDENET_REWARD_MIN', type: z.coerce.number().int().min(1).max(1_000_000).default(10) },
      keyFile: { from: 'TIDENET_CHAIN_KEY_FILE', type: z.string().optional() },
      gasPrice: { from: 'TIDENET_CHAIN_GAS_PRICE', type: z.coerce.number().min(0).max(1000).optional() },
      gasAdjustment: {
        from: 'TIDENET_CHAIN_GAS_ADJUSTMENT',
        type: z.coerce.number().min(1).max(5).default(USUAL_ADJUSTMENT),
      },
      development: { from: 'TIDENET_CHAIN_DEVELOPMENT', type: z.enum(['yes', 'no']).default('no') },
      amount: { from: 'TIDENET_FAUCET_AMOUNT', type: coins.default(400) },
      hourly: { from: 'TIDENET_FAUCET_HOURLY', type: coins.default(10_000) },
      gas: {
        from: 'TIDENET_FAUCET_GAS',
        type: z
          .string()
          .regex(/^\d{1,18}$/, 'expected a whole number')
          .default('200000'),
      },
      zone: {
        from: 'TIDENET_FAUCET_ZONE',
        type: z
          .string()
          .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/, 'expected an offset from UTC, such as +08:00')
          .default('+08:00'),
      },
      perNetwork: { from: 'TIDENET_CLAIMS_PER_NETWORK', type: coins.optional() },
    },
    {
      ...env,
      TIDENET_CHAIN_RPC: env.TIDENET_CHAIN_RPC || env.CHAIN_RPC_URL,
      TIDENET_CHAIN_ID: env.TIDENET_CHAIN_ID || env.CHAIN_ID,
      TIDENET_CHAIN_PREFIX: env.TIDENET_CHAIN_PREFIX || env.CHAIN_PREFIX,
    },
  )
  const { amount, hourly, gas, zone, perNetwork, keyFile, rest, rewardsToken, rewardRate, rewardMin, ...chain } = given
  if (chain.rpc.length > 0 && (!chain.token || !chain.orders))
    throw new ConfigError([
      '  TIDENET_CHAIN_RPC also requires TIDENET_CHAIN_TOKEN and TIDENET_CHAIN_ORDERS, the contract addresses',
    ])
  if (amount > hourly) throw new ConfigError(['  TIDENET_FAUCET_AMOUNT exceeds TIDENET_FAUCET_HOURLY'])
  return {
    ...chain,
    rest: rest[0] ?? '',
    denom: chain.denom ?? `u${chain.prefix}`,
    token: chain.token ?? '',
    orders: chain.orders ?? '',
    key: chain.rpc.length > 0 && keyFile ? readKey(keyFile) : undefined,
    gasPrice: chain.gasPrice,
    development: chain.development === 'yes',
    faucet: {
      amount,
      hourly,
      gas: BigInt(gas),
      zone: minutesOf(zone),
      perNetwork: perNetwork ?? (unlimited ? 100_000 : 10),
    },
    rewards: { token: rewardsToken ?? '', rate: rewardRate, min: rewardMin },
  }
}

function minutesOf(zone: string): number {
  const [hours = '0', minutes = '0'] = zone.slice(1).split(':')
  return (zone.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

function readKey(file: string): Buffer {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartError(`TIDENET_CHAIN_KEY_FILE=${file} cannot be read: ${(error as Error).message}`)
  }
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new StartError(`TIDENET_CHAIN_KEY_FILE=${file} does not contain 64 hex digits.`)
  return Buffer.from(text, 'hex')
}

/** For servers without a chain; tests start from it. */
export const NO_CHAIN: ChainConfig = {
  rpc: [],
  rest: '',
  id: 'tidenet-devnet-1',
  prefix: 'tide',
  denom: 'utide',
  token: '',
  orders: '',
  key: undefined,
  gasPrice: undefined,
  gasAdjustment: USUAL_ADJUSTMENT,
  development: false,
  faucet: { amount: 400, hourly: 10_000, gas: 200_000n, zone: 480, perNetwork: 100_000 },
  rewards: { token: '', rate: 1, min: 10 },
  exchangeToken: '',
}
