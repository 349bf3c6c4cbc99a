import { z } from 'zod'
import { CREDITS_MAX, CREDITS_MIN, EXCHANGE_PAYMENT_RESULTS, EXCHANGE_REASONS, EXCHANGE_STATES } from '../exchange.ts'
import { nothing, page, pageSize, plain, refuse } from '../fields.ts'
import { route } from '../route.ts'
import { claim } from './faucet.ts'

/** TNT4 as a decimal number, without trailing zeros. */
const tnt4 = z.string()
const time = z.iso.datetime({ offset: true }).optional()

const limits = { min: CREDITS_MIN, max: CREDITS_MAX }
const points = z.coerce
  .number({ error: refuse('exchangePoints', limits) })
  .int(refuse('exchangePoints', limits))
  .min(CREDITS_MIN, refuse('exchangePoints', limits))
  .max(CREDITS_MAX, refuse('exchangePoints', limits))

/** UID or e-mail address of an account at the partner. */
const account = plain(254).trim().min(1, refuse('exchangeAccountUnknown'))
const id = plain(64).min(1, refuse('exchangeUnknown'))

export const exchangeRate = z.object({
  /** Price of one TNT4 in US dollars, as a decimal number. */
  usd_per_tnt4: z.string(),
  credits_per_usd: z.number(),
  /** In percent. */
  discount: z.number(),
})

/** The partner. `simulated`: the built-in stand-in of a test network; its credits have no value. */
export const exchangePartner = z.object({ name: z.string(), simulated: z.boolean() })

export const exchangePayment = z.object({
  hash: z.string(),
  height: z.number(),
  /** Time of its block. */
  at: z.string(),
  from: z.string(),
  tnt4,
  /** The remarks of the transaction, at most 256 characters; written by the payer: plain text only. */
  memo: z.string(),
  result: z.enum(EXCHANGE_PAYMENT_RESULTS),
  reason: z.enum(EXCHANGE_REASONS),
  /** The reason in the caller's language; empty if there is none. */
  reason_text: z.string(),
  /** What was kept: the fee of the refund, or all of it; `0` if it was credited or refunded in full. */
  fee: tnt4,
  /** Null: nothing is refunded. `hash` is empty until a transaction is made. */
  refund: z.object({ tnt4, hash: z.string(), done: z.boolean() }).nullable(),
})
export type ExchangePayment = z.infer<typeof exchangePayment>

export const exchangeOrder = z.object({
  /** Also the memo (remarks) of its payment. */
  id: z.string(),
  /** As the partner names the account: its UID, and its name to show. Empty for a payment that names no exchange. */
  account: z.string(),
  account_name: z.string(),
  /** 0 for a payment that names no exchange. */
  points: z.number(),
  /** What is due, in US dollars and TNT4. */
  usd: z.string(),
  tnt4,
  status: z.enum(EXCHANGE_STATES),
  reason: z.enum(EXCHANGE_REASONS),
  /** What happened and what happens next, in the caller's language. */
  reason_text: z.string(),
  rate: exchangeRate,
  /** Whether its owner has confirmed the current quote. */
  confirmed: z.boolean(),
  /** When the quote ends. */
  expires_at: z.string(),
  /** The wallet that was linked when it was created. Any wallet can pay. */
  wallet: z.string(),
  /** How often the partner was asked to credit; more than one: it did not answer clearly. */
  attempts: z.number(),
  /** The partner's id of the credit; empty until it is credited. */
  reference: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Oldest first. */
  payments: z.array(exchangePayment),
  simulated: z.boolean(),
})
export type ExchangeOrder = z.infer<typeof exchangeOrder>

const setUp = ['exchangeNotConfigured', 'exchangeNoToken', 'chainNotConfigured', 'chainUnavailable'] as const

export const exchange = {
  rate: route({
    method: 'GET',
    path: '/api/v1/exchange/rate',
    auth: 'public',
    input: nothing,
    output: exchangeRate.extend({
      min: z.number(),
      max: z.number(),
      /** Deducted from refunds of payments with a wrong memo, a wrong amount, too late, or twice. */
      fee: tnt4,
      /** Seconds. */
      quote_life: z.number(),
      /** Null: exchanges are not available, see `reason`. */
      partner: exchangePartner.nullable(),
      /** Whether the partner answers now. */
      reachable: z.boolean(),
      /** The token; null if it is not available. */
      token: z.object({ address: z.string(), name: z.string(), symbol: z.string(), decimals: z.number() }).nullable(),
      /** Whether the network gives out TNT4 for tests, and how many a day. */
      test_coins: z.number(),
      /** Why exchanges are not available, in the caller's language; empty if it is. */
      reason: z.string(),
    }),
    errors: [],
    limit: 240,
    summary: 'Returns rate, limits, refund fee and partner of the points exchange, and whether it is available',
  }),
  account: route({
    method: 'POST',
    path: '/api/v1/exchange/account',
    repeatable: true,
    auth: 'session',
    input: z.object({ account }),
    output: z.object({
      /** The partner's UID of the account, and its name to show. */
      account: z.string(),
      account_name: z.string(),
      simulated: z.boolean(),
    }),
    errors: ['exchangeNotConfigured', 'exchangeAccountUnknown', 'exchangePartnerUnavailable', 'tooManyRequests'],
    limit: 60,
    summary: 'Verifies that an account exists at the partner, by UID or e-mail address',
  }),
  create: route({
    method: 'POST',
    path: '/api/v1/exchange/create',
    auth: 'session',
    input: z.object({ account, points }),
    output: z.object({ order: exchangeOrder }),
    errors: [
      ...setUp,
      'walletRequired',
      'exchangePoints',
      'exchangeAccountUnknown',
      'exchangePartnerUnavailable',
      'exchangeOpen',
      'tooManyRequests',
    ],
    limit: 60,
    summary: 'Creates an exchange with a quote that is valid for 60 seconds. Nothing is paid yet',
  }),
  confirm: route({
    method: 'POST',
    path: '/api/v1/exchange/confirm',
    repeatable: true,
    auth: 'session',
    input: z.object({
      id,
      /** What the owner agrees to pay: `tnt4` of the order as it was shown. */
      tnt4: plain(80),
    }),
    output: z.object({
      order: exchangeOrder,
      /** The price is not the agreed one: show the order again and confirm again. `payment` is null then. */
      recalculated: z.boolean(),
      /** What the wallet signs: one message that executes `contract` with `msg`, and this memo, unchanged. */
      payment: z
        .object({
          contract: z.string(),
          msg: z.object({ transfer: z.object({ recipient: z.string(), amount: z.string() }) }),
          memo: z.string(),
        })
        .nullable(),
    }),
    errors: [...setUp, 'exchangeUnknown', 'exchangeEnded'],
    limit: 120,
    summary:
      'Confirms the price of an exchange and returns the payment to sign. Renews the quote; a changed price must be confirmed again',
  }),
  hash: route({
    method: 'POST',
    path: '/api/v1/exchange/hash',
    repeatable: true,
    auth: 'session',
    input: z.object({
      id,
      hash: z
        .string({ error: refuse('hashFormat') })
        .trim()
        .regex(/^(0x)?[0-9a-f]{64}$/i, refuse('hashFormat'))
        .transform((text) => text.replace(/^0x/i, '').toUpperCase()),
    }),
    output: z.object({ order: exchangeOrder }),
    errors: [...setUp, 'exchangeUnknown', 'hashFormat'],
    limit: 120,
    summary:
      'Sends the hash of a payment, so that the server looks for it at once. Only the chain decides what was paid',
  }),
  cancel: route({
    method: 'POST',
    path: '/api/v1/exchange/cancel',
    repeatable: true,
    auth: 'session',
    input: z.object({ id }),
    output: z.object({ order: exchangeOrder }),
    errors: ['exchangeUnknown', 'exchangeEnded'],
    limit: 120,
    summary: 'Cancels an exchange that is not paid. A payment that arrives later is refunded less the fee',
  }),
  status: route({
    method: 'GET',
    path: '/api/v1/exchange/status',
    auth: 'session',
    input: z.object({ id }),
    output: z.object({ order: exchangeOrder }),
    errors: ['exchangeUnknown'],
    limit: 600,
    summary: 'Returns an exchange with its payments and refunds',
  }),
  records: route({
    method: 'GET',
    path: '/api/v1/exchange/records',
    auth: 'session',
    input: z.object({
      status: z.enum(EXCHANGE_STATES).optional(),
      /** Created from (inclusive) and to (exclusive). */
      from: time,
      to: time,
      page,
      size: pageSize,
    }),
    output: z.object({ list: z.array(exchangeOrder), total: z.number() }),
    errors: [],
    limit: 240,
    summary: "Lists the account's exchanges, newest first, also payments of its wallet that name no exchange",
  }),
  testCoins: route({
    method: 'POST',
    path: '/api/v1/exchange/test_coins',
    auth: 'session',
    input: nothing,
    /** `amount` in whole TNT4. */
    output: z.object({ msg: z.string(), claim: claim.omit({ receipt_id: true }) }),
    errors: ['chainNotConfigured', 'exchangeNoToken', 'exchangeNoTestCoins', 'walletRequired', 'claimedToday'],
    limit: 60,
    summary: 'Claims TNT4 for tests, once a day (UTC) per wallet and account. Only on a test network',
  }),
  wallet: route({
    method: 'GET',
    path: '/api/v1/exchange/wallet',
    auth: 'session',
    input: nothing,
    output: z.object({
      address: z.string(),
      tnt4,
      units: z.string(),
      /** Of the fee coin, in its smallest unit. */
      gas: z.string(),
      /** The latest claim of test coins; null if there is none. */
      claim: claim.omit({ receipt_id: true }).nullable(),
      /** Whether test coins can be claimed now. */
      can_claim: z.boolean(),
    }),
    errors: ['chainNotConfigured', 'chainUnavailable', 'exchangeNoToken', 'walletRequired'],
    limit: 240,
    summary: 'Returns the TNT4 of the linked wallet, read from the chain, and whether test coins can be claimed',
  }),
}
