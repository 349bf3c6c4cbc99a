import { z } from 'zod'
import { int, nothing, page, refuse } from '../fields.ts'
import { route } from '../route.ts'

/** What programs and wallets need to know of the chain. Where there is none every operation of it answers `chainAbsent`. */
export const chainSettings = z.object({
  chain_id: z.string(),
  /** What addresses begin with. */
  prefix: z.string(),
  /** The coin that pays fees: its smallest unit, its name, and how many digits make a coin. */
  denom: z.string(),
  coin: z.string(),
  decimals: z.number(),
  /** The token that orders are paid with. */
  token: z.object({ address: z.string(), name: z.string(), symbol: z.string(), decimals: z.number() }),
  /** The contract that keeps what was paid for orders. */
  orders: z.string(),
  /** What the portal offers to sign: so much of `denom`, for at most so much gas. */
  fee: z.object({ amount: z.string(), gas: z.string() }),
  /** Fee for a unit of gas, for the steps of wallets. */
  gas_prices: z.object({ low: z.number(), average: z.number(), high: z.number() }),
  /** Below the portal's own address; `rest` is empty where the operator passes none on. */
  rpc: z.string(),
  rest: z.string(),
  websocket: z.string(),
  /** Whether it is the chain that comes along: what it holds is worth nothing. */
  development: z.boolean(),
})
export type ChainSettings = z.infer<typeof chainSettings>

/** `units` in the smallest unit of a coin, `decimals` digits of which make one; of unknown coins 0. */
export const chainAmount = z.object({ units: z.string(), decimals: z.number(), symbol: z.string() })
export type ChainAmount = z.infer<typeof chainAmount>

export const CHAIN_MESSAGES = ['coins', 'transfer', 'pay', 'allow', 'disallow', 'release', 'call', 'other'] as const
export const CHAIN_ORDER_ACTIONS = ['create', 'update', 'extend', 'release'] as const

/**
 * What a transaction asked for. `coins`: of the fee coin, to somebody; `transfer`: of the token; `pay`: of the token, for an order;
 * `allow`: from now on `to` may take so much more of the token, `disallow`: so much less; `release`: the network ended an order;
 * `call`: something else of a contract, `action` names it; `other`: not known here.
 */
export const chainMessage = z.object({
  kind: z.enum(CHAIN_MESSAGES),
  /** As the chain names it. */
  type: z.string(),
  from: z.string(),
  to: z.string(),
  amount: chainAmount.nullable(),
  action: z.string(),
  order: z
    .object({
      action: z.enum(CHAIN_ORDER_ACTIONS),
      id: z.string(),
      /** Of an update: the order that took the place of the other. */
      new_id: z.string(),
      /** Cores, GB, GB, hours in total; 0 where the message does not say. */
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
  /** Of its block; empty when that is no longer kept. */
  time: z.string(),
  /** Whether it was carried out; otherwise `log` says why not, in the chain's words. */
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
export type ChainTransactionShown = z.infer<typeof chainTransaction>

const asked = ['chainAbsent', 'chainAway'] as const
const size = int(1, 50).default(20)

export const chain = {
  settings: route({
    method: 'GET',
    path: '/api/v1/chain/settings',
    auth: 'public',
    input: nothing,
    output: chainSettings,
    errors: ['chainAbsent', 'chainAway'],
    limit: 240,
    summary: 'The chain that orders are paid on: its id, addresses, fees, and where wallets reach it',
  }),
  status: route({
    method: 'GET',
    path: '/api/v1/chain/status',
    auth: 'public',
    input: nothing,
    output: z.object({
      /** Whether it answers this server; otherwise the rest is what nothing is known of. */
      reachable: z.boolean(),
      height: z.number(),
      /** Of the newest block; empty when it is not reachable. */
      time: z.string(),
      /** Who pays claims and ends orders, with what is there to give; null where this server has no key. */
      operator: z.object({ address: z.string(), balance: chainAmount, gas: chainAmount }).nullable(),
    }),
    errors: asked,
    limit: 240,
    summary: 'Whether the chain answers, how far it is, and what the network has to give away',
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
    summary: 'A transaction that a block holds, in words; nothing is found as long as none does',
  }),
  block: route({
    method: 'GET',
    path: '/api/v1/chain/block',
    auth: 'public',
    input: z.object({
      /** Left out: the latest. */
      height: int(1).optional(),
      page,
      size,
    }),
    output: z.object({
      height: z.number(),
      hash: z.string(),
      time: z.string(),
      proposer: z.string(),
      /** The newest block that there is. */
      latest: z.number(),
      list: z.array(chainTransaction),
      total: z.number(),
    }),
    errors: [...asked, 'notFound'],
    limit: 240,
    summary: 'A block and its transactions, page by page',
  }),
  address: route({
    method: 'GET',
    path: '/api/v1/chain/address',
    auth: 'public',
    input: z.object({ address: z.string().trim().min(1).max(130), page: int(1, 20).default(1), size }),
    output: z.object({
      address: z.string(),
      /** `orders`: the contract that keeps what was paid; `token`: the token's own; `new`: it never got anything. */
      kind: z.enum(['account', 'token', 'orders', 'new']),
      /** Of the token, and of the fee coin. */
      balance: chainAmount,
      gas: chainAmount,
      /** Of what points are redeemed for; null where there is no such coin. */
      rewards: chainAmount.nullable(),
      /** The latest first. */
      list: z.array(chainTransaction),
      /** Whether there are older ones than those of this page. */
      more: z.boolean(),
    }),
    errors: [...asked, 'walletAddress'],
    limit: 120,
    summary: 'What an address has, and the transactions that it sent or that sent it something, page by page',
  }),
}
