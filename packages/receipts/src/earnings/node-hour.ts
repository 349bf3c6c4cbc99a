import type { ClaimsOf } from '../claims.ts'

/** The input of the formula: an hour of a device. */
export type NodeHour = Pick<
  ClaimsOf<'node_hour'>,
  'sub' | 'hour' | 'trusted' | 'failed' | 'audited' | 'held' | 'online' | 'crowd' | 'signed' | 'paid_share'
>

/** Amounts by cause, in millionths of a point. */
export interface Earned {
  traffic: number
  storage: number
}

/**
 * Why an hour earns nothing. `owner`: the device has none; `standing`: it is new; `failed`: it failed an audit in this hour; `audit`: it
 * passed none in the last 24 hours.
 */
export const HINDRANCES = ['owner', 'standing', 'failed', 'audit'] as const
export type Hindrance = (typeof HINDRANCES)[number]
