import {
  type AutoRenewProblem,
  type ClusterName,
  ORDER,
  type OrderEvent,
  type OrderStatus,
  statusesWith,
  statusNameOf,
} from '@tidenet/contract'
import { emitEvent, idsOfNamed } from '../../identity/index.ts'
import type { Within } from '../../platform/audit-log/query.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import { escapeLike } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, prepared, type Sql, sql } from '../../platform/db/sql.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import type { Facts } from './states.ts'

/** A row of `orders`; `price` and caps in whole coins, `refund` in units. */
export interface OrderRow extends Facts {
  seq: number
  id: string
  user_id: number
  payer: string
  lang: 'en' | 'cn'
  cluster: ClusterName
  cpu: number
  ram: number
  storage: number
  gpus: number
  duration: number
  bought: number
  price: number
  /** See `rateAfter`. */
  rate_price: number
  rate_hours: number
  workspace_id: string
  cancelled: boolean
  pay_hash: string
  release_hash: string
  release_height: number | null
  /** As text, because it can exceed the safe integers. */
  refund: string | null
  refund_receipt_id: number | null
  replaces: string
  restores: string
  start_height: number
  created_at: Date
  updated_at: Date
  pay_until: Date | null
  started_at: Date | null
  expired_at: Date
  kept_until: Date | null
  auto_renew: boolean
  auto_cap: number
  auto_spent: number
  /** When to check whether the next renewal would succeed; null: now. */
  auto_check_at: Date | null
  auto_problem: AutoRenewProblem
  due_at: Date | null
  leased_until: Date | null
  tries: number
}

export const COLUMNS = sql`
  seq, id, user_id, payer, lang, cluster, cpu, ram, storage, gpus, duration, bought, price, rate_price, rate_hours, status, workspace_id, workspace, money, ending, cancelled,
  pay_hash, release_hash, release_height, refund::text as refund, refund_receipt_id, replaces, replaced_by, restores, start_height, created_at, updated_at,
  pay_until, started_at, expired_at, kept_until, auto_renew, auto_cap, auto_spent, auto_check_at, auto_problem, due_at, leased_until, tries`

const statusIn = (statuses: readonly OrderStatus[]) => sql`status = any(${[...statuses]}::smallint[])`

export const findOrder = (db: Db, id: string): Promise<OrderRow | undefined> =>
  db.maybe(prepared`select ${COLUMNS} from orders where id = ${id}`)

export const findOwnOrder = (db: Db, userId: number, id: string): Promise<OrderRow | undefined> =>
  db.maybe(prepared`select ${COLUMNS} from orders where id = ${id} and user_id = ${userId}`)

/** Of two orders, lock the older first. */
export const lockOrder = (tx: Db, id: string): Promise<OrderRow | undefined> =>
  tx.maybe(prepared`select ${COLUMNS} from orders where id = ${id} for update`)

/** The unpaid upgrade of an order; lock the order itself first. */
export const lockUpgrade = (tx: Db, id: string): Promise<OrderRow | undefined> =>
  tx.maybe(
    sql`select ${COLUMNS} from orders where replaces = ${id} and status = ${ORDER.upgradePending} and money = 'none' for update`,
  )

/**
 * Whether an order that restores the kept workspace of `id` was created while it was kept, and can still be paid or is being provisioned. Later
 * orders do not count, so repeated unpaid ones do not keep a workspace.
 */
export const isAwaited = async (tx: Db, id: string, at: Date): Promise<boolean> =>
  (
    await tx.one<{ awaited: boolean }>(sql`
      select exists (
        select 1 from orders o join orders kept on kept.id = o.restores
        where o.restores = ${id} and o.created_at < kept.kept_until
          and (o.money = 'none' and o.pay_until > ${at} or o.money = 'held' and o.status = any(${statusesWith('isProvisioning')}::smallint[]))
      ) as awaited`)
  ).awaited

/** Serializes order creation of an account, so that the limit of unpaid orders holds. */
export const lockOrderCreation = (tx: Db, userId: number): Promise<number> => advisoryLock(tx, `orders of ${userId}`)

export const countUnpaid = async (tx: Db, userId: number): Promise<number> =>
  (
    await tx.one<{ count: number }>(prepared`
      select count(*) as count from orders where user_id = ${userId} and ${statusIn(statusesWith('isUnpaid'))} and money = 'none'`)
  ).count

export interface NewOrder {
  id: string
  userId: number
  payer: string
  lang: 'en' | 'cn'
  cluster: ClusterName
  cpu: number
  ram: number
  storage: number
  /** Default: none. */
  gpus?: number | undefined
  duration: number
  price: number
  /** By default its own price. */
  rate?: { rate_price: number; rate_hours: number }
  status: OrderStatus
  workspaceId: string
  replaces: string
  restores: string
  at: Date
  payUntil: Date | null
  expiredAt: Date
  dueAt: Date
}

export const insertOrder = (tx: Db, order: NewOrder): Promise<number> =>
  tx.run(prepared`
    insert into orders (id, user_id, payer, lang, cluster, cpu, ram, storage, gpus, duration, bought, price, rate_price, rate_hours, status, workspace_id,
      replaces, restores, created_at, updated_at, pay_until, expired_at, due_at)
    values (${order.id}, ${order.userId}, ${order.payer}, ${order.lang}, ${order.cluster}, ${order.cpu}, ${order.ram}, ${order.storage}, ${order.gpus ?? 0},
      ${order.duration}, ${order.duration}, ${order.price}, ${order.rate?.rate_price ?? order.price}, ${order.rate?.rate_hours ?? order.duration}, ${order.status}, ${order.workspaceId}, ${order.replaces}, ${order.restores},
      ${order.at}, ${order.at}, ${order.payUntil}, ${order.expiredAt}, ${order.dueAt})`)

export type OrderChange = Partial<
  Pick<
    OrderRow,
    | 'status'
    | 'workspace'
    | 'money'
    | 'ending'
    | 'cancelled'
    | 'duration'
    | 'price'
    | 'workspace_id'
    | 'pay_hash'
    | 'release_hash'
    | 'release_height'
    | 'refund'
    | 'refund_receipt_id'
    | 'replaced_by'
    | 'restores'
    | 'start_height'
    | 'pay_until'
    | 'started_at'
    | 'expired_at'
    | 'kept_until'
    | 'auto_renew'
    | 'auto_cap'
    | 'auto_spent'
    | 'auto_check_at'
    | 'auto_problem'
    | 'due_at'
    | 'leased_until'
    | 'tries'
    | 'lang'
  >
>

/** A new status is an event for webhooks. @param at sets `updated_at`, which owners see */
export async function changeOrder(tx: Db, id: string, change: OrderChange, at?: Date): Promise<number> {
  const { status } = change
  const old =
    status === undefined || !at
      ? undefined
      : await tx.maybe<{ user_id: number; status: OrderStatus }>(
          prepared`select user_id, status from orders where id = ${id} for update`,
        )
  const changed = await setColumns(tx, id, change, at)
  if (!old || status === undefined || !at || old.status === status) return changed
  const data = { order_id: id, status, status_name: statusNameOf(status), previous: old.status }
  await emitEvent(tx, old.user_id, 'order.status', data, at)
  return changed
}

function setColumns(tx: Db, id: string, change: OrderChange, at?: Date): Promise<number> {
  const entries = Object.entries({ ...change, ...(at && { updated_at: at }) })
  if (entries.length === 0) return Promise.resolve(0)
  const sets = entries
    // Column names come from `setters`, never from a caller.
    .map(([name, value]) => sql`${setters[name as keyof typeof setters]}${value}`)
    .reduce((list, each) => (list === none ? each : sql`${list}, ${each}`), none)
  return tx.run(sql`update orders set ${sets} where id = ${id}`)
}

const setters = {
  status: sql`status = `,
  workspace: sql`workspace = `,
  money: sql`money = `,
  ending: sql`ending = `,
  cancelled: sql`cancelled = `,
  duration: sql`duration = `,
  price: sql`price = `,
  workspace_id: sql`workspace_id = `,
  pay_hash: sql`pay_hash = `,
  release_hash: sql`release_hash = `,
  release_height: sql`release_height = `,
  refund: sql`refund = `,
  refund_receipt_id: sql`refund_receipt_id = `,
  replaced_by: sql`replaced_by = `,
  restores: sql`restores = `,
  start_height: sql`start_height = `,
  pay_until: sql`pay_until = `,
  started_at: sql`started_at = `,
  expired_at: sql`expired_at = `,
  kept_until: sql`kept_until = `,
  auto_renew: sql`auto_renew = `,
  auto_cap: sql`auto_cap = `,
  auto_spent: sql`auto_spent = `,
  auto_check_at: sql`auto_check_at = `,
  auto_problem: sql`auto_problem = `,
  due_at: sql`due_at = `,
  leased_until: sql`leased_until = `,
  tries: sql`tries = `,
  lang: sql`lang = `,
  updated_at: sql`updated_at = `,
} as const satisfies Record<keyof OrderChange | 'updated_at', unknown>

/** Leases due orders until `until`. */
export const leaseDueOrders = (db: Db, at: Date, until: Date, limit: number): Promise<OrderRow[]> =>
  db.rows(prepared`
    update orders set leased_until = ${until}
    where seq in (
      select seq from orders where due_at <= ${at} and (leased_until is null or leased_until <= ${at})
      order by due_at limit ${limit} for update skip locked)
    returning ${COLUMNS}`)

/** Leases these orders, due or not, but for those with a valid lease. */
export const leaseOrders = (db: Db, ids: readonly string[], at: Date, until: Date): Promise<OrderRow[]> =>
  db.rows(prepared`
    update orders set leased_until = ${until}
    where seq in (
      select seq from orders where id = any(${ids}::text[]) and (leased_until is null or leased_until <= ${at})
      order by seq for update)
    returning ${COLUMNS}`)

export const addEvent = (
  tx: Db,
  { id, event, at, hash = '', fact = '' }: { id: string; event: OrderEvent; at: Date; hash?: string; fact?: string },
): Promise<number> =>
  tx.run(prepared`
    insert into order_events (order_id, event, at, hash, fact)
    values (${id}, ${event}, ${at}, ${hash}, ${fact.slice(0, 300)})`)

export const eventsOf = (db: Db, id: string): Promise<{ event: OrderEvent; at: Date; hash: string; fact: string }[]> =>
  db.rows(sql`
    select event, at, hash, fact from (
      select id, event, at, hash, fact from order_events where order_id = ${id} order by id desc limit 200) latest
    order by id`)

/** Orders of all accounts, newest first. */
export const pageOfAllOrders = (
  db: Db,
  { q = '', status }: { q?: string | undefined; status?: readonly OrderStatus[] | undefined },
  before: number | undefined,
  limit: number,
): Promise<OrderRow[]> => {
  const word = `${escapeLike(q)}%`
  return db.rows(sql`
    select ${COLUMNS} from orders where true
      ${q === '' ? none : sql`and (id like ${word} or payer like ${word} or user_id in (${idsOfNamed(q)}))`}
      ${status === undefined ? none : sql`and ${statusIn(status)}`}
      ${before === undefined ? none : sql`and seq < ${before}`}
    order by seq desc limit ${limit}`)
}

/** Whole coins that automatic renewals of all orders of a wallet may still cost. @param except an order that does not count */
export const autoRenewBudgetOf = async (db: Db, payer: string, except = ''): Promise<number> =>
  (
    await db.one<{ coins: number }>(sql`
      select coalesce(sum(greatest(auto_cap - auto_spent, 0)), 0)::bigint as coins from orders
      where payer = ${payer} and id <> ${except} and auto_renew and ${statusIn(statusesWith('isRenewable'))} and ending is null`)
  ).coins

export const countByStatus = (db: Db, userId: number): Promise<{ status: OrderStatus; count: number }[]> =>
  db.rows(prepared`select status, orders as count from order_counts where user_id = ${userId}`)

/** A page of the orders in some statuses, newest first. Each status is read from the index separately, so that pages of rare statuses are cheap too. */
export const pageOfOrders = (
  db: Db,
  {
    userId,
    statuses,
    offset,
    limit,
  }: { userId: number; statuses: readonly OrderStatus[]; offset: number; limit: number },
): Promise<OrderRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from orders where seq in (
      select seq from unnest(${[...statuses]}::smallint[]) wanted (wanted_status), lateral (
        select seq from orders where user_id = ${userId} and status = wanted_status order by seq desc limit ${offset + limit}) each
      order by seq desc offset ${offset} limit ${limit})
    order by seq desc`)

/** Orders that are in use, or whose money is in the contract. */
export const countOpenOrders = async (db: Db, userId: number): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count from orders where user_id = ${userId}
        and (money = 'held' or status = any(${[...statusesWith('isInService'), ...statusesWith('isProvisioning')]}::int[]))`)
  ).count

/** Notices in the portal; the orders stay, as records of money. */
export const erased = (userId: number): Sql[] => [
  sql`delete from order_notices where id in (
    select id from order_notices where user_id = ${userId} limit ${EXPIRED_BATCH})`,
]

export const exported = (userId: number): Sql => sql`
  select seq as row_key, id, cluster, cpu, ram, storage, duration, price, status, money, pay_hash, release_hash, refund, auto_renew,
    created_at, started_at, expired_at, refund_receipt_id from orders where user_id = ${userId}`

/** What happened with orders of an account in a time span, newest first. */
export const pageOfOrderEvents = (
  db: Db,
  userId: number,
  { from, to }: Within,
  before: { at: Date; id: number } | undefined,
  limit: number,
): Promise<{ id: number; order_id: string; event: OrderEvent; at: Date }[]> =>
  db.rows(sql`
    select e.id, e.order_id, e.event, e.at from order_events e join orders o on o.id = e.order_id where o.user_id = ${userId}
      ${from ? sql`and e.at >= ${from}` : none} ${to ? sql`and e.at < ${to}` : none}
      ${before === undefined ? none : sql`and (e.at, e.id) < (${before.at}, ${before.id})`}
    order by e.at desc, e.id desc limit ${limit}`)
