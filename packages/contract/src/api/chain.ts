import { z } from 'zod'
import { int, nothing, page, refuse } from '../fields.ts'
import { route } from '../route.ts'

/** Settings of the chain for programs and wallets. Without a chain, every operation here answers `chainNotConfigured`. */
export const chainSettings = z.object({
  chain_id: z.string(),
  /** Prefix of addresses. */
  prefix: z.string(),
  /** The fee coin: base unit, name, and decimals. */
  denom: z.string(),
  coin: z.string(),
  decimals: z.number(),
  /** The token that pays orders. */
  token: z.object({ address: z.string(), name: z.string(), symbol: z.string(), decimals: z.number() }),
  /** Address of the orders contract. */
  orders: z.string(),
  /** The fee that the portal proposes: `amount` in `denom`, and the gas limit. */
  fee: z.object({ amount: z.string(), gas: z.string() }),
  /** Gas prices, for wallets that offer three steps. */
  gas_prices: z.object({ low: z.number(), average: z.number(), high: z.number() }),
  /** Paths or URLs on this portal; `rest` is empty if the operator offers none. */
  rpc: z.string(),
  rest: z.string(),
  websocket: z.string(),
  /** Whether it is the bundled development chain, whose coins have no value. */
  development: z.boolean(),
})
export type ChainSettings = z.infer<typeof chainSettings>

/** `units` in base units; `decimals` is 0 for unknown coins. */
export const chainAmount = z.object({ units: z.string(), decimals: z.number(), symbol: z.string() })
export type ChainAmount = z.infer<typeof chainAmount>

export const CHAIN_MESSAGES = ['coins', 'transfer', 'pay', 'allow', 'disallow', 'release', 'call', 'other'] as const
export const CHAIN_ORDER_ACTIONS = ['create', 'update', 'extend', 'release'] as const

/**
 * A message of a transaction. `coins`: sends the fee coin; `transfer`: sends the token; `pay`: pays an order with the token;
 * `allow` and `disallow`: increase and decrease the allowance of `to`; `release`: the network settled an order;
 * `call`: another contract call, named by `action`; `other`: not recognized.
 */
export const chainMessage = z.object({
  kind: z.enum(CHAIN_MESSAGES),
  /** The chain's type URL. */
  type: z.string(),
  from: z.string(),
  to: z.string(),
  amount: chainAmount.nullable(),
  action: z.string(),
  order: z
    .object({
      action: z.enum(CHAIN_ORDER_ACTIONS),
      id: z.string(),
      /** The new order of an update. */
      new_id: z.string(),
      /** Cores, GB, GB, total hours; 0 if the message does not contain it. */
      cpu: z.number(),
      memory: z.number(),
      disk: z.number(),
      hours: z.number(),
    })
    .nullable(),
})
export type ChainMessage = z.infer<typeof chainMessage>

export const chainTransaction = z.object({
  /** Hex in capitals. */
  hash: z.string(),
  height: z.number(),
  /** Time of its block; empty if the chain no longer stores it. */
  time: z.string(),
  /** Whether it succeeded; otherwise `log` has the chain's error message. */
  ok: z.boolean(),
  code: z.number(),
  codespace: z.string(),
  log: z.string(),
  sender: z.string(),
  fee: z.array(chainAmount),
  gas_wanted: z.number(),
  gas_used: z.number(),
  memo: z.string(),
  /** At most 200. */
  messages: z.array(chainMessage),
})
export type DecodedTransaction = z.infer<typeof chainTransaction>

const asked = ['chainNotConfigured', 'chainUnavailable'] as const
const size = int(1, 50).default(20)

export const chain = {
  settings: route({
    method: 'GET',
    path: '/api/v1/chain/settings',
    auth: 'public',
    input: nothing,
    output: chainSettings,
    errors: ['chainNotConfigured', 'chainUnavailable'],
    limit: 240,
    summary: 'Returns the settings of the chain: id, contracts, fees and endpoints for wallets',
  }),
  status: route({
    method: 'GET',
    path: '/api/v1/chain/status',
    auth: 'public',
    input: nothing,
    output: z.object({
      /** Whether the chain answers this server; otherwise the other fields are empty. */
      reachable: z.boolean(),
      height: z.number(),
      /** Time of the latest block; empty if the chain is not reachable. */
      time: z.string(),
      /** The account that pays claims and settles orders, with its balances; null if this server has no key. */
      operator: z.object({ address: z.string(), balance: chainAmount, gas: chainAmount }).nullable(),
    }),
    errors: asked,
    limit: 240,
    summary: 'Returns whether the chain answers, its height, and the balance of the faucet',
  }),
  transaction: route({
    method: 'GET',
    path: '/api/v1/chain/transaction',
    auth: 'public',
    input: z.object({
      hash: z
        .string({ error: refuse('hashFormat') })
        .trim()
        .regex(/^(0x)?[0-9a-f]{64}$/i, refuse('hashFormat'))
        .transform((text) => text.replace(/^0x/i, '').toUpperCase()),
    }),
    output: chainTransaction,
    errors: [...asked, 'hashFormat', 'notFound'],
    limit: 240,
    summary: 'Returns a confirmed transaction, decoded; `notFound` until a block contains it',
  }),
  block: route({
    method: 'GET',
    path: '/api/v1/chain/block',
    auth: 'public',
    input: z.object({
      /** Default: the latest block. */
      height: int(1).optional(),
      page,
      size,
    }),
    output: z.object({
      height: z.number(),
      hash: z.string(),
      time: z.string(),
      proposer: z.string(),
      /** Height of the latest block. */
      latest: z.number(),
      list: z.array(chainTransaction),
      total: z.number(),
    }),
    errors: [...asked, 'notFound'],
    limit: 240,
    summary: 'Returns a block and its transactions',
  }),
  address: route({
    method: 'GET',
    path: '/api/v1/chain/address',
    auth: 'public',
    input: z.object({ address: z.string().trim().min(1).max(130), page: int(1, 20).default(1), size }),
    output: z.object({
      address: z.string(),
      /** `orders`: the orders contract; `token`: the token contract; `new`: unused so far. */
      kind: z.enum(['account', 'token', 'orders', 'new']),
      /** Balance of the token, and of the fee coin. */
      balance: chainAmount,
      gas: chainAmount,
      /** Balance of the reward coin; null if there is none. */
      rewards: chainAmount.nullable(),
      /** Newest first. */
      list: z.array(chainTransaction),
      /** Whether there is another page. */
      more: z.boolean(),
    }),
    errors: [...asked, 'walletAddress'],
    limit: 120,
    summary: 'Returns the balances of an address, and the transactions that it sent or received',
  }),
}
