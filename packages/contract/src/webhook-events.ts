import { z } from 'zod'
import { ORDER_STATUS_NAMES } from './order-enums.ts'
import { ASSET_TYPES } from './storage-enums.ts'

const cids = z.array(z.string())

/** The `data` of each event. Receivers ignore fields that they do not know: later versions may add some. */
export const webhookData = {
  /** A file or uploaded folder is listed in the account, also after an instant upload. Restoring from the trash is no upload. */
  'asset.uploaded': z.object({
    cid: z.string(),
    name: z.string(),
    type: z.enum(ASSET_TYPES),
    /** Bytes. */
    size: z.number(),
    /** 0: the root. */
    folder_id: z.number(),
    encrypted: z.boolean(),
    /** The network already had the bytes. */
    instant: z.boolean(),
  }),
  /** Assets were moved to the trash, or deleted for good: two events, unless the trash was skipped. At most 500 CIDs; more are in further events. */
  'asset.deleted': z.object({ cids, trashed: z.boolean() }),
  /** Someone else downloaded a shared asset. The same visitor counts once in 24 hours. */
  'share.opened': z.object({
    cid: z.string(),
    /** The shared folder through which it was opened; null: the asset's own share. */
    folder_id: z.number().nullable(),
    /** Share downloads of the asset, this one included. */
    downloads: z.number(),
  }),
  'order.status': z.object({
    order_id: z.string(),
    /** As in the API, by number and by name. */
    status: z.number(),
    status_name: z.enum(ORDER_STATUS_NAMES),
    previous: z.number(),
  }),
  /** Copies on trusted nodes were lost, and will be replaced: one event per account and minute. */
  'replica.lost': z.object({
    /** How many contents lost copies, and how many copies. */
    contents: z.number(),
    copies: z.number(),
    /** At most 100, those with the fewest remaining copies first. */
    list: z.array(z.object({ cid: z.string(), lost: z.number(), left: z.number() })),
  }),
  /** Sent by the test button. */
  'test.ping': z.object({ webhook_id: z.number() }),
} as const satisfies Record<string, z.ZodType>

export type WebhookEventName = keyof typeof webhookData
export type WebhookData<E extends WebhookEventName> = z.input<(typeof webhookData)[E]>

/** Events that a webhook can receive; `test.ping` goes to every one. */
export const WEBHOOK_EVENTS = [
  'asset.uploaded',
  'asset.deleted',
  'share.opened',
  'order.status',
  'replica.lost',
] as const satisfies readonly WebhookEventName[]

/** CIDs in one `asset.deleted`, and contents listed in one `replica.lost`. */
export const DELETED_CIDS_MAX = 500
export const LOST_CONTENTS_MAX = 100

export const WEBHOOKS_MAX = 10
/** Delays after failed attempts, ms: a day together. Each is varied by up to a tenth. */
export const WEBHOOK_RETRIES = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800].map((s) => s * 1000)
/** How long an answer may take, ms. */
export const WEBHOOK_TIMEOUT = 10_000
/** How long the replaced secret signs too, ms. */
export const WEBHOOK_ROTATION = 86_400_000
/** Ended deliveries that are kept per webhook, and for how many days. */
export const WEBHOOK_KEPT = 1000
export const WEBHOOK_KEPT_DAYS = 30

export const WEBHOOK_STATES = ['waiting', 'delivered', 'dead'] as const
export type WebhookState = (typeof WEBHOOK_STATES)[number]

/**
 * Why there is no answer: its address is private, its name unknown, its certificate invalid, no connection, no answer in time. `disabled`,
 * `backlog`: not sent, because the webhook was disabled or too many deliveries waited. `interrupted`: the result is unknown. Empty: it answered.
 */
export const WEBHOOK_FAILURES = [
  '',
  'private',
  'name',
  'tls',
  'connection',
  'timeout',
  'disabled',
  'backlog',
  'interrupted',
] as const
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number]

/** Why a webhook is disabled: by its owner, by status 410, after days of failures. */
export const WEBHOOK_DISABLED_BY = ['', 'owner', 'gone', 'failing'] as const
