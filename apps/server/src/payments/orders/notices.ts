import type { Lang, OrderNotice } from '@tidenet/contract'
import { hiddenNotices, notify } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { formatNotice, type NoticeOrder, orderEmail } from './emails.ts'
import type { OrderRow } from './repository.ts'

type Deps = Pick<Context, 'clock' | 'keys' | 'portalUrl'>

/** Notifies the owner once per kind and `about`: in the portal and by e-mail, as the account chose. What it does not want to see counts as read. */
export async function notifyOwner(
  context: Deps,
  tx: Db,
  order: NoticeOrder & Pick<OrderRow, 'user_id' | 'lang'>,
  kind: OrderNotice,
  { fact = '', about = '' }: { fact?: string; about?: string } = {},
): Promise<void> {
  const hidden = (await hiddenNotices(tx, order.user_id)).has('orders')
  const inserted = await tx.run(sql`
    insert into order_notices (user_id, order_id, kind, about, fact, created_at, read_at)
    values (${order.user_id}, ${order.id}, ${kind}, ${about}, ${fact}, ${now(context)}, ${hidden ? now(context) : null})
    on conflict on constraint order_notices_once do nothing`)
  if (inserted === 0) return
  const page = `${context.portalUrl()}/mycenter`
  await notify(context, tx, order.user_id, 'orders', (lang) => orderEmail(lang, kind, order, fact, page), {
    lang: order.lang,
    lowPriority: false,
  })
}

/** Newest first. */
export async function listNotices(
  { db }: Pick<Context, 'db'>,
  userId: number,
  { page, size }: { page: number; size: number },
  lang: Lang,
) {
  const rows = await db.rows<{
    id: number
    order_id: string
    kind: OrderNotice
    fact: string
    created_at: Date
    read: boolean
  }>(sql`
    select id, order_id, kind, fact, created_at, read_at is not null as read from order_notices
    where user_id = ${userId} order by id desc limit ${size} offset ${(page - 1) * size}`)
  const counts = await db.one<{ total: number; unread: number }>(sql`
    select count(*) as total, count(*) filter (where read_at is null) as unread from order_notices where user_id = ${userId}`)
  return {
    list: rows.map(({ fact, created_at, ...row }) => ({
      ...row,
      text: formatNotice(lang, row.kind, fact),
      created_at: created_at.toISOString(),
    })),
    ...counts,
  }
}

/** Marks some or all notices as read. */
export async function readNotices(context: Pick<Context, 'db' | 'clock'>, userId: number, ids?: readonly number[]) {
  await context.db.run(sql`
    update order_notices set read_at = ${now(context)}
    where user_id = ${userId} and read_at is null and (${ids === undefined} or id = any(${[...(ids ?? [])]}::bigint[]))`)
  return context.db.one<{ unread: number }>(sql`
    select count(*) as unread from order_notices where user_id = ${userId} and read_at is null`)
}
