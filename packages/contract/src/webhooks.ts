import type { WebhookEventName } from './webhook-events.ts'

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
