import {
  type WEBHOOK_DISABLED_BY,
  type WEBHOOK_EVENTS,
  WEBHOOK_KEPT,
  WEBHOOK_KEPT_DAYS,
  type WebhookEventName,
} from '@tidenet/contract'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'

export interface WebhookRow {
  id: number
  user_id: number
  name: string
  url: string
  host: string
  events: (typeof WEBHOOK_EVENTS)[number][]
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: Date | null
  lang: 'en' | 'cn'
  enabled: boolean
  disabled_by: (typeof WEBHOOK_DISABLED_BY)[number]
  failures: number
  failing_since: Date | null
  created_at: Date
}

const columns = sql`w.id, w.user_id, w.name, w.url, w.host, w.events, w.secret, w.previous_secret, w.previous_until, w.lang, w.enabled,
  w.disabled_by, w.failures, w.failing_since, w.created_at`

/** Serializes what counts the webhooks of an account, until the transaction ends. */
export const lockAccount = (tx: Db, userId: number): Promise<number> =>
  tx.run(sql`select 1 from users where id = ${userId} for no key update`)

export const countWebhooks = async (tx: Db, userId: number): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from webhooks where user_id = ${userId}`)).count

/** A webhook counts as slow until it has proved to be fast, whenever its receiver may have changed. */
export const insertWebhook = async (
  tx: Db,
  webhook: Pick<WebhookRow, 'user_id' | 'name' | 'url' | 'host' | 'events' | 'secret' | 'lang' | 'created_at'>,
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      insert into webhooks (user_id, name, url, host, events, secret, lang, slow, created_at)
      values (${webhook.user_id}, ${webhook.name}, ${webhook.url}, ${webhook.host}, ${webhook.events}, ${webhook.secret}, ${webhook.lang},
        true, ${webhook.created_at}) returning id`)
  ).id

export const findWebhook = (db: Db, userId: number, id: number): Promise<WebhookRow | undefined> =>
  db.maybe(sql`select ${columns} from webhooks w where w.id = ${id} and w.user_id = ${userId}`)

export const lockWebhook = (tx: Db, userId: number, id: number): Promise<WebhookRow | undefined> =>
  tx.maybe(sql`select ${columns} from webhooks w where w.id = ${id} and w.user_id = ${userId} for no key update`)

/** Newest first. */
export const listWebhooks = (db: Db, userId: number): Promise<(WebhookRow & { waiting: number; dead: number })[]> =>
  db.rows(sql`
    select ${columns}, count(d.id) filter (where d.state = 'waiting') as waiting, count(d.id) filter (where d.state = 'dead') as dead
    from webhooks w left join webhook_deliveries d on d.webhook_id = w.id and d.state <> 'delivered'
    where w.user_id = ${userId} group by w.id order by w.id desc`)

/** Webhooks of an account that were switched off for failing, or fail since before then. */
export const findTroubled = (
  db: Db,
  userId: number,
  failingBefore: Date,
): Promise<{ id: number; name: string; failing_since: Date | null }[]> =>
  db.rows(sql`
    select id, name, failing_since from webhooks
    where user_id = ${userId} and (disabled_by not in ('', 'owner') or enabled and failing_since < ${failingBefore})
    order by id`)

export const updateWebhook = (
  tx: Db,
  id: number,
  { name, url, host, events }: Pick<WebhookRow, 'name' | 'url' | 'host' | 'events'>,
): Promise<number> =>
  tx.run(sql`
    update webhooks set name = ${name}, url = ${url}, host = ${host}, events = ${events},
      slow = slow or url <> ${url} where id = ${id}`)

/** Enabling it forgets earlier failures. */
export const setEnabled = (tx: Db, id: number, disabledBy: WebhookRow['disabled_by']): Promise<number> =>
  tx.run(sql`
    update webhooks set enabled = ${disabledBy === ''}, disabled_by = ${disabledBy}, failures = 0, failing_since = null, slow = true
    where id = ${id}`)

export const replaceSecret = (tx: Db, id: number, secret: Buffer, until: Date): Promise<number> =>
  tx.run(sql`
    update webhooks set previous_secret = secret, previous_until = ${until}, secret = ${secret} where id = ${id}`)

export const deleteWebhook = (tx: Db, userId: number, id: number): Promise<number> =>
  tx.run(sql`delete from webhooks where id = ${id} and user_id = ${userId}`)

/** The accounts with a webhook that receives the event. */
export const findListeners = async (db: Db, event: WebhookEventName): Promise<number[]> =>
  (
    await db.rows<{ user_id: number }>(
      sql`select distinct user_id from webhooks where enabled and ${event} = any(events)`,
    )
  ).map((row) => row.user_id)

/** Those of these accounts that have one. */
export const findListenersOf = async (db: Db, event: WebhookEventName, userIds: readonly number[]): Promise<number[]> =>
  (
    await db.rows<{ user_id: number }>(
      prepared`select distinct user_id from webhooks where user_id = any(${userIds}::bigint[]) and enabled and ${event} = any(events)`,
    )
  ).map((row) => row.user_id)

/**
 * Waiting deliveries of one webhook: visitors of a share can cause many. The oldest of more are given up every few minutes. Meanwhile, events
 * are not recorded while twice as many wait, or so many that with bodies like theirs, all would be larger than this.
 */
const WAITING_MAX = 10_000
const WAITING_BYTES = 64 * 1024 * 1024

/** A delivery for every webhook that receives the event, unless very much waits there already. */
export const insertDeliveries = (
  tx: Db,
  userId: number,
  message: { messageId: string; event: WebhookEventName; body: string; at: Date },
): Promise<number> =>
  tx.run(prepared`
    insert into webhook_deliveries (webhook_id, message_id, event, body, due_at, created_at)
    select w.id, ${message.messageId}, ${message.event}, ${message.body}, ${message.at}::timestamptz, ${message.at}::timestamptz
    from webhooks w where w.user_id = ${userId} and w.enabled and ${message.event} = any(w.events)
      and not exists (
        select from webhook_deliveries d where d.webhook_id = w.id and d.due_at is not null
        offset ${Math.min(2 * WAITING_MAX, Math.floor(WAITING_BYTES / message.body.length)) - 1} limit 1)`)

/** Deletes old deliveries, and gives up the oldest if very many wait. */
export const expired = (at: Date): Sql[] => [
  sql`delete from webhook_deliveries where id in (
    select id from webhook_deliveries where created_at < ${ago(at, WEBHOOK_KEPT_DAYS * DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
  sql`update webhook_deliveries set state = 'dead', failure = 'backlog', due_at = null where id in (
    select d.id from webhooks w, lateral (
      select id from webhook_deliveries where webhook_id = w.id and state = 'waiting' order by id desc offset ${WAITING_MAX}) d
    limit ${EXPIRED_BATCH})`,
  sql`delete from webhook_deliveries where id in (
    select d.id from webhooks w, lateral (
      select id from webhook_deliveries where webhook_id = w.id and state <> 'waiting' order by id desc offset ${WEBHOOK_KEPT}) d
    limit ${EXPIRED_BATCH})`,
]

/** First the deliveries, of which there can be many. */
export const erased = (userId: number): Sql[] => [
  sql`delete from webhook_deliveries where id in (
    select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.user_id = ${userId} limit ${EXPIRED_BATCH})`,
  sql`delete from webhooks where user_id = ${userId}`,
]

export const exported = (userId: number): Sql => sql`
  select id as row_key, name, url, events, enabled, created_at from webhooks where user_id = ${userId}`
