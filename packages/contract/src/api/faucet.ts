import { z } from 'zod'
import { nothing, page, pageSize, receiptId } from '../fields.ts'
import { route } from '../route.ts'

/** `reserved`: not yet sent to the chain; `sent`: transaction broadcast; `done`: confirmed by a block. */
export const CLAIM_STATES = ['reserved', 'sent', 'done'] as const
export type ClaimState = (typeof CLAIM_STATES)[number]

/** Amounts in whole coins, times RFC 3339. */
export const claim = z.object({
  /** The receiving address. */
  account: z.string(),
  amount: z.number(),
  /** Transaction hash, upper-case hex; empty until there is one. */
  hash: z.string(),
  created_at: z.string(),
  state: z.enum(CLAIM_STATES),
  receipt_id: receiptId,
})
export type Claim = z.infer<typeof claim>

const always = ['walletRequired', 'chainNotConfigured'] as const

export const faucet = {
  distributed: route({
    method: 'GET',
    path: '/api/v1/platform/user/distributed',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** Whole coins left in this hour. Unclaimed coins do not carry over. */
      remaining_amount: z.number(),
      used_amount: z.number(),
      /** When the next hour begins. */
      next_time: z.string(),
      /** Whether the wallet or the account has claimed today. */
      received: z.boolean(),
      /** When the next day begins in the faucet's time zone. */
      next_claim_at: z.string(),
      /** Whole coins of one claim, and of all claims in an hour. */
      claim_amount: z.number(),
      hourly_amount: z.number(),
      /** Time zone of days and hours, such as `+08:00`. */
      zone: z.string(),
      /** Today's claim. */
      claim: claim.nullable(),
    }),
    errors: always,
    limit: 240,
    summary: 'Returns what the faucet has left this hour, and whether the caller can claim',
  }),
  receive: route({
    method: 'POST',
    path: '/api/v1/platform/user/receive',
    auth: 'session',
    input: nothing,
    output: z.object({ msg: z.string(), claim }),
    errors: [...always, 'claimQuota', 'claimedToday', 'tooManyClaims'],
    limit: 240,
    summary:
      'Claims test coins, once a day per wallet and account. An accepted claim is paid even if the chain is unreachable at first',
  }),
  history: route({
    method: 'GET',
    path: '/api/v1/platform/user/receive_history',
    auth: 'session',
    input: z.object({ page, size: pageSize }),
    output: z.object({ list: z.array(claim), total: z.number() }),
    errors: ['walletRequired'],
    summary: "Lists the account's claims, newest first",
  }),
  balance: route({
    method: 'GET',
    path: '/api/v1/platform/user/balance',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** Balance of the token in coins, as a decimal. */
      balance: z.string(),
      /** The same in base units; and the balance of the fee coin in base units. */
      units: z.string(),
      gas: z.string(),
      address: z.string(),
    }),
    errors: [...always, 'chainUnavailable'],
    limit: 240,
    summary: 'Returns the balances of the linked wallet, read from the chain',
  }),
}
