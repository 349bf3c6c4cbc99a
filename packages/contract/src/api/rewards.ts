import { z } from 'zod'
import { nothing, page, pageSize, receiptId } from '../fields.ts'
import { route } from '../route.ts'

/** The maximum of one grant and of one redemption. */
export const POINTS_MAX = 1_000_000

/** Source of points. `granted`: by an operator. */
export const POINT_KINDS = ['granted'] as const
export type PointKind = (typeof POINT_KINDS)[number]

/** `withdrawing`: not yet confirmed by the chain; `credited`: confirmed by a block. */
export const REDEMPTION_STATES = ['withdrawing', 'credited'] as const
export type RedemptionState = (typeof REDEMPTION_STATES)[number]

/** Why nothing can be redeemed now: no chain, no reward coin, no linked wallet, or too few points. */
export const REDEEM_BLOCKERS = ['chain', 'coin', 'wallet', 'points'] as const

/** Whole points. `accumulated` is the sum of the other three. */
export const points = z.object({
  accumulated: z.number(),
  not_withdrawn: z.number(),
  withdrawing: z.number(),
  credited: z.number(),
})

export const redemption = z.object({
  id: z.number(),
  points: z.number(),
  /** Whole coins at the rate of that time, and the receiving address. */
  coins: z.number(),
  account: z.string(),
  state: z.enum(REDEMPTION_STATES),
  /** Transaction hash, upper-case hex; empty until there is one. */
  hash: z.string(),
  created_at: z.string(),
  receipt_id: receiptId,
})
export type Redemption = z.infer<typeof redemption>

export const pointEntry = z.object({
  points: z.number(),
  kind: z.enum(POINT_KINDS),
  /** The operator's reason. */
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
      /** Whole coins per point, and the minimum points of a redemption. */
      rate: z.number(),
      min: z.number(),
      /** Symbol of the reward coin; empty if there is none. */
      token: z.string(),
      /** Why nothing can be redeemed; null: points can be redeemed. */
      hindrance: z.enum(REDEEM_BLOCKERS).nullable(),
      /** The last ten grants of points. */
      entries: z.array(pointEntry),
    }),
    errors: [],
    limit: 240,
    summary:
      "Returns the account's points (accumulated, not withdrawn, withdrawing, credited) and whether they can be redeemed",
  }),
  redeem: route({
    method: 'POST',
    path: '/api/v1/platform/user/redeem',
    auth: 'session',
    input: z.object({ points: z.number().int().min(1).max(POINTS_MAX) }),
    output: z.object({ msg: z.string(), redemption, points }),
    errors: ['walletRequired', 'chainNotConfigured', 'redeemUnavailable', 'pointsMinimum', 'pointsInsufficient'],
    limit: 240,
    summary:
      'Redeems points for coins, sent to the linked wallet. An accepted redemption is paid even if the chain is unreachable at first',
  }),
  history: route({
    method: 'GET',
    path: '/api/v1/platform/user/redeem_history',
    auth: 'session',
    input: z.object({ page, size: pageSize }),
    output: z.object({ list: z.array(redemption), total: z.number() }),
    errors: [],
    summary: "Lists the account's redemptions, newest first",
  }),
}
