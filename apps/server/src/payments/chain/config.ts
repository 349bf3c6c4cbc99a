import { readFileSync } from 'node:fs'
import { USUAL_ADJUSTMENT } from '@tidenet/chain-client'
import { ConfigError, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'

/** The chain that the network pays on, as the server is told of it. */
export interface ChainConfig {
  /** CometBFT RPCs, the preferred first; none: there is no chain. */
  rpc: readonly string[]
  /** The REST of the same chain, for wallets; empty: it is not passed on. */
  rest: string
  id: string
  /** What addresses begin with. */
  prefix: string
  /** The smallest unit of the coin that pays fees. */
  denom: string
  /** Addresses of the contracts. */
  token: string
  orders: string
  /** 32 bytes that sign for the network; without them this server pays no claims and ends no orders. */
  key: Buffer | undefined
  /** Fee for a unit of gas; left out, what the chain asks for. */
  gasPrice: number | undefined
  /** Gas that is allowed for each unit that a transaction has used when it was tried. */
  gasAdjustment: number
  /** Whether it is the chain that comes along, for development. */
  development: boolean
  faucet: FaucetConfig
  rewards: RewardsConfig
}

/** What points are redeemed for. */
export interface RewardsConfig {
  /** Address of the token; empty: points cannot be redeemed. */
  token: string
  /** Whole coins for a point. */
  rate: number
  /** Points of a redemption at least. */
  min: number
}

/** Coins that people get for nothing. */
export interface FaucetConfig {
  /** Whole coins of a claim, and of all claims of an hour. */
  amount: number
  hourly: number
  /** In the smallest unit of the fee coin, beside each claim. */
  gas: bigint
  /** Minutes east of UTC: days and hours begin there. */
  zone: number
  /** Claims that one network, an IPv4 address or a /64 of IPv6, gets a day. */
  perNetwork: number
}

const urls = z.preprocess(
  (text) =>
    text
      ? String(text)
          .split(',')
          .map((each) => each.trim().replace(/\/$/, ''))
      : [],
  z.array(z.url({ protocol: /^https?$/, error: 'expected addresses such as http://127.0.0.1:26657' })),
)
const address = z.string().regex(/^[a-z\d]{10,130}$/, 'expected the address of a contract')
const coins = z.coerce.number().int().min(1).max(1_000_000_000)

/**
 * @param unlimited whether whoever tries the portal comes from one address, so that networks have no limit worth the name
 * @throws StartError naming every variable that is wrong
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
          .regex(/^[\w.-]{1,50}$/, 'expected the id of a chain, such as tidenet-devnet-1')
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
          .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/, 'expected hours and minutes from UTC, such as +08:00')
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
      '  TIDENET_CHAIN_TOKEN and TIDENET_CHAIN_ORDERS are needed beside TIDENET_CHAIN_RPC: the addresses of the contracts',
    ])
  if (amount > hourly) throw new ConfigError(['  TIDENET_FAUCET_AMOUNT is more than TIDENET_FAUCET_HOURLY'])
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
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new StartError(`TIDENET_CHAIN_KEY_FILE=${file} does not hold 64 hex digits.`)
  return Buffer.from(text, 'hex')
}

/** For servers without one, and for tests to begin with. */
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
}
