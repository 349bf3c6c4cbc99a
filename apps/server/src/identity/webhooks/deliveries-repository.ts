import type { WebhookFailure, WebhookState } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { none, prepared, sql } from '../../platform/db/sql.ts'
import type { WebhookRow } from './repository.ts'

export interface DeliveryRow {
  id: number
  message_id: string
  event: string
  state: WebhookState
  tries: number
  created_at: Date
  tried_at: Date | null
  due_at: Date | null
  status: number | null
  failure: WebhookFailure
  answer: string
  took_ms: number | null
}

/** A delivery that this server is sending, with its webhook. */
export interface Leased extends Pick<WebhookRow, 'user_id' | 'url' | 'secret' | 'previous_secret' | 'previous_until'> {
  id: number
  webhook_id: number
  message_id: string
  body: string
  tries: number
  slow: boolean
  leased_until: Date
}

/** How many deliveries are sent at once, by all servers together. */
const PER_WEBHOOK = 2
const PER_ACCOUNT = 4
/** For slow receivers, and for the others: slow ones of a host do not delay the others there. */
const PER_HOST = 8

/**
 * Leases due deliveries. The transaction must hold the lock of leases, so that the limits hold across servers.
 * @param free how many this server can send now, and how many of them to slow receivers
 * @param held the account of each request that this server is sending: a deleted webhook takes its leases along, but its requests continue
 */
export const leaseDeliveries = (
  tx: Db,
  at: Date,
  until: Date,
  free: { all: number; slow: number },
  held: readonly number[],
): Promise<Leased[]> =>
  tx.rows(prepared`
    with recursive pending as (
      (select webhook_id from webhook_deliveries where due_at is not null order by webhook_id limit 1)
      union all
      select (select d.webhook_id from webhook_deliveries d where d.due_at is not null and d.webhook_id > p.webhook_id order by d.webhook_id limit 1)
      from pending p where p.webhook_id is not null
    ), busy as (
      select d.webhook_id, w.user_id, w.host, w.slow, count(*) as sending from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.leased_until > ${at} group by d.webhook_id, w.id
    ), due as (
      select d.id, d.due_at, w.slow, w.host,
        row_number() over (partition by w.user_id order by d.due_at, d.id)
          + greatest((select sum(b.sending) from busy b where b.user_id = w.user_id),
              (select count(*) from unnest(${[...held]}::bigint[]) as h (user_id) where h.user_id = w.user_id)) as of_account
      from pending p join webhooks w on w.id = p.webhook_id and w.enabled join users u on u.id = w.user_id and u.locked_at is null,
        lateral (
          select id, due_at from webhook_deliveries
          where webhook_id = w.id and due_at <= ${at} and (leased_until is null or leased_until <= ${at}) order by due_at, id
          limit greatest(0, ${PER_WEBHOOK}::int - coalesce((select b.sending from busy b where b.webhook_id = w.id), 0))) d
    ), by_host as (
      -- Accounts with the fewest requests go first: those with many old deliveries do not delay the others.
      select d.*, row_number() over (partition by d.host, d.slow order by d.of_account, d.due_at, d.id)
          + coalesce((select sum(b.sending) from busy b where b.host = d.host and b.slow = d.slow), 0) as of_host
      from due d where d.of_account <= ${PER_ACCOUNT}
    ), chosen as (
      select id from (
        select id, due_at, slow, of_account, row_number() over (partition by slow order by of_account, due_at, id) as of_kind from by_host
        where of_host <= ${PER_HOST}) allowed
      where not slow or of_kind <= ${free.slow} order by of_account, due_at, id limit ${free.all}
    ), locked as (
      select id from webhook_deliveries
      where id in (select id from chosen) and due_at <= ${at} and (leased_until is null or leased_until <= ${at}) for update skip locked
    )
    update webhook_deliveries d set leased_until = ${until}, tries = d.tries + 1
    from webhooks w where d.id in (select id from locked) and w.id = d.webhook_id
    returning d.id, d.webhook_id, d.message_id, d.body, d.tries, d.leased_until, w.user_id, w.url, w.secret, w.previous_secret,
      w.previous_until, w.slow`)

/** The attempt did not happen. */
export const releaseLease = (db: Db, { id, leased_until }: Pick<Leased, 'id' | 'leased_until'>): Promise<number> =>
  db.run(sql`
    update webhook_deliveries set leased_until = null, tries = tries - 1 where id = ${id} and leased_until = ${leased_until}`)

export interface Result {
  state: WebhookState
  dueAt: Date | null
  status: number | null
  failure: WebhookFailure
  answer: string
  tookMs: number
  at: Date
}

/** Records an attempt, if its lease is still valid. @param lease null: it was not leased */
export const recordAttempt = (tx: Db, id: number, lease: Date | null, result: Result): Promise<number> =>
  tx.run(sql`
    update webhook_deliveries set state = ${result.state}, due_at = ${result.dueAt}, leased_until = null, tried_at = ${result.at},
      status = ${result.status}, failure = ${result.failure}, answer = ${result.answer}, took_ms = ${result.tookMs}
    where id = ${id} and leased_until is not distinct from ${lease}::timestamptz`)

export const recordSuccess = (tx: Db, webhookId: number, slow: boolean): Promise<number> =>
  tx.run(sql`
    update webhooks set failures = 0, failing_since = null, slow = ${slow}
    where id = ${webhookId} and (failures > 0 or slow <> ${slow})`)

export const recordFailure = (
  tx: Db,
  webhookId: number,
  at: Date,
): Promise<Pick<WebhookRow, 'user_id' | 'name' | 'host' | 'lang' | 'enabled' | 'failures'> & { failing_since: Date }> =>
  tx.one(sql`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${at}), slow = true where id = ${webhookId}
    returning user_id, name, host, lang, enabled, failures, failing_since`)

/** Ends the waiting deliveries of a disabled webhook; those that are being sent end too, unless they succeed. */
export const endWaiting = (tx: Db, webhookId: number): Promise<number> =>
  tx.run(sql`
    update webhook_deliveries set state = 'dead', due_at = null, failure = case when tries = 0 then 'disabled' else failure end
    where webhook_id = ${webhookId} and state = 'waiting'`)

export const pageOfDeliveries = (
  db: Db,
  webhookId: number,
  { before, state }: { before?: number | undefined; state?: WebhookState | undefined },
  limit: number,
): Promise<DeliveryRow[]> =>
  db.rows(sql`
    select id, message_id, event, state, tries, created_at, tried_at, due_at, status, failure, answer, took_ms from webhook_deliveries
    where webhook_id = ${webhookId}
      ${before === undefined ? none : sql`and id < ${before}`}
      ${state === undefined ? none : sql`and state = ${state}`}
    order by id desc limit ${limit}`)

/** @param delivery undefined: all that were given up; else one that has ended */
export const replayDeliveries = (tx: Db, webhookId: number, delivery: number | undefined, at: Date): Promise<number> =>
  tx.run(sql`
    update webhook_deliveries set state = 'waiting', tries = 0, due_at = ${at}
    where webhook_id = ${webhookId} and event <> 'test.ping'
      and ${delivery === undefined ? sql`state = 'dead'` : sql`id = ${delivery} and state <> 'waiting'`}`)

/** A test is sent at once; if the server stops meanwhile, its result stays unknown. */
export const insertTest = (
  tx: Db,
  webhookId: number,
  { messageId, body, at }: { messageId: string; body: string; at: Date },
): Promise<{ id: number }> =>
  tx.one(sql`
    insert into webhook_deliveries (webhook_id, message_id, event, body, state, tries, failure, tried_at, created_at)
    values (${webhookId}, ${messageId}, 'test.ping', ${body}, 'dead', 1, 'interrupted', ${at}, ${at}) returning id`)
