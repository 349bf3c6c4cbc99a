import { z } from 'zod'
import { nothing, page, pageSize } from '../fields.ts'
import { route } from '../route.ts'

/** `reserved`: promised, on its way to the chain; `sent`: handed in; `done`: a block holds it. */
export const CLAIM_STATES = ['reserved', 'sent', 'done'] as const
export type ClaimState = (typeof CLAIM_STATES)[number]

/** Amounts in whole coins, times RFC 3339. */
export const claim = z.object({
  /** The address that the coins went to. */
  account: z.string(),
  amount: z.number(),
  /** Of the transaction, hex in capitals; empty as long as there is none. */
  hash: z.string(),
  created_at: z.string(),
  state: z.enum(CLAIM_STATES),
})
export type Claim = z.infer<typeof claim>

const always = ['needBindKeplr', 'chainAbsent'] as const

export const faucet = {
  distributed: route({
    method: 'GET',
    path: '/api/v1/platform/user/distributed',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** Of this hour, in whole coins. What is not claimed is not added to the next hour. */
      remaining_amount: z.number(),
      used_amount: z.number(),
      /** When the next hour begins, with the whole allowance. */
      next_time: z.string(),
      /** Whether the wallet, or the account by another wallet, has claimed today. */
      received: z.boolean(),
      /** When the next day begins, in the zone of the faucet. */
      next_claim_at: z.string(),
      /** Of a claim, and of all claims of an hour. */
      claim_amount: z.number(),
      hourly_amount: z.number(),
      /** Days and hours begin there: `+08:00`. */
      zone: z.string(),
      /** Today's claim. */
      claim: claim.nullable(),
    }),
    errors: always,
    limit: 240,
    summary: 'What the faucet has left of this hour, and whether the caller may claim',
  }),
  receive: route({
    method: 'POST',
    path: '/api/v1/platform/user/receive',
    auth: 'session',
    input: nothing,
    output: z.object({ msg: z.string(), claim }),
    errors: [...always, 'claimQuota', 'claimedToday', 'claimsOfNetwork'],
    limit: 240,
    summary:
      'Claims test coins: once a day for a wallet, an account; a claim that is taken is paid, however long the chain is away',
  }),
  history: route({
    method: 'GET',
    path: '/api/v1/platform/user/receive_history',
    auth: 'session',
    input: z.object({ page, size: pageSize }),
    output: z.object({ list: z.array(claim), total: z.number() }),
    errors: ['needBindKeplr'],
    summary: "The account's claims, the latest first",
  }),
  balance: route({
    method: 'GET',
    path: '/api/v1/platform/user/balance',
    auth: 'session',
    input: nothing,
    output: z.object({
      /** What the bound wallet has of the token, in coins, as a decimal. */
      balance: z.string(),
      /** The same in the token's smallest unit; and what it has of the fee coin, in its smallest. */
      units: z.string(),
      gas: z.string(),
      address: z.string(),
    }),
    errors: [...always, 'chainAway'],
    limit: 240,
    summary: 'What the bound wallet has, asked of the chain',
  }),
}
