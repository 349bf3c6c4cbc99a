import { z } from 'zod'
import { int, nothing, page, pageSize, plain } from '../fields.ts'
import { route } from '../route.ts'
import { points } from './rewards.ts'
import { downloadReceipt } from './traces.ts'

/** What devices earn, by cause. Amounts are millionths of a point; days are UTC; hours are unix seconds of their begin, as in receipts. */

const amount = z.number()
export const earned = z.object({
  /** For bytes that reader and node signed. */
  traffic: amount,
  /** For bytes held. */
  storage: amount,
})
export type EarnedAmounts = z.infer<typeof earned>

/** With the running hours. `week` and `month`: 7 and 30 days, with today. */
const periods = z.object({ today: earned, yesterday: earned, week: earned, month: earned, total: earned })

/** Why an hour earns nothing: see `HINDRANCES` of the receipts package. */
const HINDRANCES = ['owner', 'standing', 'failed', 'audit'] as const

/**
 * Why bytes that reader and node signed do not earn. The reader does not pay: `free`: its plan is free; `visitor`: of a share; `anonymous`:
 * an anonymous file; `own`: it owns the device, or did shortly before. Or when the download was opened, the device was `unowned` or
 * `unvetted`, or in that hour it had `failed` an audit, or was `unaudited`: had passed none in 24 hours.
 */
export const UNEARNED_KINDS = [
  'free',
  'visitor',
  'anonymous',
  'own',
  'unowned',
  'unvetted',
  'failed',
  'unaudited',
] as const
export type UnearnedKind = (typeof UNEARNED_KINDS)[number]

const nodeId = plain(80).min(1)
/** As in receipts: PostgreSQL and JavaScript have different years. */
const day = z.iso.date().refine((text) => text.startsWith('2'))

export const earningHour = z.object({
  hour: z.number(),
  /** Version of the formula. */
  version: z.number(),
  /** The number of its `node_hour` receipt; null while the hour is running: it can still change, and is not redeemable. */
  receipt: z.number().nullable(),
  /** Why it earns nothing; null: it can. */
  hindrance: z.enum(HINDRANCES).nullable(),
  traffic: amount,
  storage: amount,
  /** The input of the formula, as in the receipt. */
  inputs: z.object({
    trusted: z.boolean(),
    passed: z.number(),
    failed: z.number(),
    audited: z.number(),
    held: z.number(),
    online: z.number(),
    crowd: z.number(),
    signed: z.number(),
    paid_share: z.number(),
  }),
  /** Bytes that reader and node signed, and that do not earn. Not in `inputs.signed`. */
  unearned: z.array(z.object({ kind: z.enum(UNEARNED_KINDS), bytes: z.number() })),
})
export type EarningHour = z.infer<typeof earningHour>

/** The text of a dispute. */
export const DISPUTE_TEXT_MAX = 1000

export const earningDispute = z.object({
  id: z.number(),
  node_id: z.string(),
  day: z.string(),
  /** As the network states it, and as the owner computed it. */
  stated: earned,
  computed: earned,
  text: z.string(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
  /** What the operators answered. */
  note: z.string(),
})
export type EarningDispute = z.infer<typeof earningDispute>

export const earnings = {
  summary: route({
    method: 'GET',
    path: '/api/v1/earnings',
    auth: 'readDevices',
    input: z.object({ page, size: pageSize }),
    output: periods.extend({
      /** The part of today that is not closed. */
      running: earned,
      points,
      /** The current version of the formula, and seconds from the end of an hour until it is closed. */
      version: z.number(),
      closes_after: z.number(),
      /** Devices that earned, or belong to the account; the most of a month first. */
      list: z.array(
        periods.extend({
          node_id: z.string(),
          /** Empty if the node is gone. */
          name: z.string(),
          /** Whether it belongs to the account now. */
          owned: z.boolean(),
          running: earned,
        }),
      ),
      total_devices: z.number(),
      /** Whether the account gets a weekly e-mail about its earnings. */
      weekly: z.boolean(),
    }),
    errors: [],
    limit: 120,
    summary: 'Returns what the devices of the account earned, by period, device and cause',
  }),
  mail: route({
    method: 'POST',
    path: '/api/v1/earnings/mail',
    auth: 'session',
    input: z.object({ weekly: z.boolean() }),
    output: z.object({ weekly: z.boolean() }),
    errors: [],
    limit: 120,
    summary: 'Sets whether the account gets a weekly e-mail about its earnings and the problems of its devices',
  }),
  days: route({
    method: 'GET',
    path: '/api/v1/earnings/days',
    auth: 'session',
    /** @param node_id one device; default: all */
    input: z.object({ node_id: nodeId.optional(), days: int(1, 400).default(30) }),
    output: z.object({ list: z.array(earned.extend({ day: z.string() })) }),
    errors: [],
    limit: 120,
    summary:
      'Returns what the devices of the account earned on each of the last days (UTC), oldest first, today with its running hours',
  }),
  statement: route({
    method: 'GET',
    path: '/api/v1/earnings/statement',
    auth: 'session',
    input: z.object({ node_id: nodeId, day }),
    output: earned.extend({
      /** The account: `sub` of the receipts. */
      sub: z.string(),
      node_id: z.string(),
      name: z.string(),
      day: z.string(),
      /** The number of the `earnings` receipt of the day; null until the day is over. */
      receipt: z.number().nullable(),
      running: earned,
      /** Inputs are kept for 90 days; receipts for ever. */
      hours: z.array(earningHour),
    }),
    errors: ['notFound'],
    limit: 120,
    summary: 'Returns what one device earned on one day, hour by hour, with the inputs of the formula and the receipts',
  }),
  downloads: route({
    method: 'GET',
    path: '/api/v1/earnings/downloads',
    auth: 'session',
    input: z.object({ node_id: nodeId, day, page, size: pageSize }),
    output: z.object({ list: z.array(downloadReceipt), total: z.number() }),
    errors: ['notFound'],
    limit: 120,
    summary: 'Lists the receipts of downloads from an own device that were issued on one day, newest first',
  }),
  dispute: route({
    method: 'POST',
    path: '/api/v1/earnings/dispute',
    repeatable: true,
    auth: 'session',
    input: z.object({
      node_id: nodeId,
      day,
      /** What was computed from the receipts. */
      hours: z.array(z.object({ hour: int(), traffic: int(), storage: int() })).max(24),
      text: plain(DISPUTE_TEXT_MAX).default(''),
    }),
    output: earningDispute,
    errors: ['notFound', 'tooManyRequests'],
    limit: 60,
    summary:
      'Sends both results of a day to the operators; a dispute of this day that is still open is returned instead',
  }),
  disputes: route({
    method: 'GET',
    path: '/api/v1/earnings/disputes',
    auth: 'session',
    input: z.object({ page, size: pageSize }),
    output: z.object({ list: z.array(earningDispute), total: z.number() }),
    errors: [],
    limit: 120,
    summary: "Lists the account's disputes, newest first",
  }),
  deviceCount: route({
    method: 'GET',
    path: '/api/v2/get_user_device_count',
    auth: 'session',
    /** The own uid, or nothing: what others earn is not public. */
    input: z.object({ user_id: plain(254).optional() }),
    output: z.object({
      /** Points, with up to six decimal places. */
      profile: z.object({
        cumulative_profit: amount,
        yesterday_profit: amount,
        today_profit: amount,
        seven_days_profit: amount,
        month_profit: amount,
        total_num: z.number(),
        online_num: z.number(),
        offline_num: z.number(),
        abnormal_num: z.number(),
      }),
    }),
    errors: ['forbidden'],
    limit: 120,
    summary: 'Returns the devices of the account by state, and what they earned in points',
  }),
  public: route({
    method: 'GET',
    path: '/api/v1/earnings/public',
    auth: 'public',
    input: nothing,
    output: z.object({
      /** The first and the last closed day of the period; null: no day is closed yet. */
      from: z.string().nullable(),
      to: z.string().nullable(),
      /** Devices with an owner, and how many of them earned something. */
      devices: z.number(),
      earning: z.number(),
      /** Devices that earned something and were online for at least half of the period, and the number of their owners. */
      counted: z.number(),
      owners: z.number(),
      /**
       * Half of these owners earned at least so many millionths of a point with a device, on average of their devices: rounded down to one
       * digit. Null if there are fewer than ten owners: it would show what one of them earned.
       */
      median: z.number().nullable(),
      /** Millionths of all stored bytes that belonged to paying accounts in the last closed hour; null: no hour is closed yet. */
      paid_share: z.number().nullable(),
    }),
    errors: [],
    limit: 240,
    summary: 'Returns what the devices of this network earned in the last 30 days',
  }),
}
