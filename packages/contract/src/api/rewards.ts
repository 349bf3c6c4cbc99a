import { z } from 'zod'
import { nothing, page, pageSize } from '../fields.ts'
import { route } from '../route.ts'

/** Of a grant, and of a redemption. */
export const POINTS_MAX = 1_000_000

/** Where points come from. `granted`: an operator gave them. */
export const POINT_KINDS = ['granted'] as const
export type PointKind = (typeof POINT_KINDS)[number]

/** `withdrawing`: taken, on its way to the chain; `credited`: a block holds the coins. */
export const REDEMPTION_STATES = ['withdrawing', 'credited'] as const
export type RedemptionState = (typeof REDEMPTION_STATES)[number]

/** Why nothing can be redeemed now: there is no chain; no coin on it; the account has no wallet; too few points are left. */
export const REDEEM_HINDRANCES = ['chain', 'coin', 'wallet', 'points'] as const

/** Whole points. `accumulated` is the sum of the three others, always. */
export const points = z.object({
  accumulated: z.number(),
  not_withdrawn: z.number(),
  withdrawing: z.number(),
  credited: z.number(),
})

export const redemption = z.object({
  id: z.number(),
  points: z.number(),
  /** Whole coins, at the rate of that time, and the address that they go to. */
  coins: z.number(),
  account: z.string(),
  state: z.enum(REDEMPTION_STATES),
  /** Of the transaction, hex in capitals; empty as long as there is none. */
  hash: z.string(),
  created_at: z.string(),
})
export type Redemption = z.infer<typeof redemption>

export const pointEntry = z.object({
  points: z.number(),
  kind: z.enum(POINT_KINDS),
  /** What whoever gave them wrote. */
  reason: z.string(),
  created_at: z.string(),
})
export type PointEntry = z.infer<typeof pointEntry>

export const rewards = {
  state: route({
    method: 'GET',
    path: '/api/v1/platform/user/reward',
    auth: 'session',
    input: nothing,
    output: points.extend({
      /** Whole coins for a point, and points of a redemption at least. */
      rate: z.number(),
      min: z.number(),
      /** The token that points are redeemed for; empty where there is none. */
      token: z.string(),
      /** Null: something can be redeemed now. */
      hindrance: z.enum(REDEEM_HINDRANCES).nullable(),
      /** The latest points that came, at most ten. */
      entries: z.array(pointEntry),
    }),
    errors: [],
    limit: 240,
    summary:
      "The account's points: accumulated, not withdrawn, withdrawing, credited; and whether some can be redeemed",
  }),
  redeem: route({
    method: 'POST',
    path: '/api/v1/platform/user/redeem',
    auth: 'session',
    input: z.object({ points: z.number().int().min(1).max(POINTS_MAX) }),
    output: z.object({ msg: z.string(), redemption, points }),
    errors: ['needBindKeplr', 'chainAbsent', 'redeemAbsent', 'pointsMinimum', 'pointsInsufficient'],
    limit: 240,
    summary:
      'Redeems points for coins, which go to the bound wallet; what is taken is paid, however long the chain is away',
  }),
  history: route({
    method: 'GET',
    path: '/api/v1/platform/user/redeem_history',
    auth: 'session',
    input: z.object({ page, size: pageSize }),
    output: z.object({ list: z.array(redemption), total: z.number() }),
    errors: [],
    summary: "The account's redemptions, the latest first",
  }),
}
