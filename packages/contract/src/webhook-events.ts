import { z } from 'zod'
import { ORDER_STATUS_NAMES } from './order-enums.ts'
import { ASSET_TYPES } from './storage-enums.ts'

const cids = z.array(z.string())

/** The `data` of each event. Receivers ignore fields that they do not know: later versions may add some. */
export const webhookData = {
  /** A file or uploaded folder is listed in the account, also after an instant upload. Restoring from the trash is no upload. */
  'asset.uploaded': z.object({
    cid: z.string(),
    asset_id: z.number(),
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
  'asset.deleted': z.object({
    cids,
    /** In the order of `cids`. */ asset_ids: z.array(z.number()),
    trashed: z.boolean(),
  }),
  /** Someone else downloaded a shared asset. The same visitor counts once in 24 hours. */
  'share.opened': z.object({
    cid: z.string(),
    asset_id: z.number(),
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
