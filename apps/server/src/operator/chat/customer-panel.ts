import type { contract, Output } from '@tidenet/contract'
import { accountsOf, findAccount, limitsOf, quotaSince } from '../../identity/index.ts'
import { lastOrders } from '../../payments/index.ts'
import { harmlessText, lastTraces, trafficSince } from '../../storage/index.ts'
import type { Deps, Operator } from '../admin/change.ts'
import { now } from '../context.ts'
import { recordReading } from './audit.ts'
import { requireConversation } from './desk-repository.ts'

type Trace = Awaited<ReturnType<typeof lastTraces>>[number]
type Panel = Output<(typeof contract)['chatDesk']['customer']>

const ORDERS = 5
const TRACES = 10

/** What an agent needs beside a conversation. @throws AppError chatUnknown */
export async function showCustomer(context: Deps, operator: Operator, id: number): Promise<Panel> {
  const { db } = context
  const { user_id: userId } = await requireConversation(db, id)
  const uid = userId === null ? undefined : (await accountsOf(db, [userId])).get(userId)?.uid
  await recordReading(context, operator, { id, customer: uid ?? '' })
  const row = uid === undefined ? undefined : await findAccount(db, uid)
  if (!row) return { account: null, orders: [], traces: [], errors: [] }
  const at = now(context)
  const [orders, traces, errors, { sent }] = await Promise.all([
    lastOrders(db, row.id, ORDERS),
    lastTraces(db, row.id, at, { failed: false, limit: TRACES }),
    lastTraces(db, row.id, at, { failed: true, limit: TRACES }),
    trafficSince(db, row.id, quotaSince(row, at)),
  ])
  const limits = limitsOf(row)
  return {
    account: {
      uid: row.uid,
      email: row.email ?? '',
      role: row.role,
      vip: row.vip,
      locked_at: row.locked_at?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      used: row.used_bytes,
      storage: limits.storage,
      sent_this_month: sent,
      download_traffic: limits.downloadTraffic,
    },
    orders: orders.map(({ id: order, status, created_at, expired_at }) => ({
      id: order,
      status,
      created_at: created_at.toISOString(),
      expired_at: expired_at?.toISOString() ?? null,
    })),
    traces: traces.map(harmless),
    errors: errors.map(harmless),
  }
}

/** Names and logs are texts of the customer. */
const harmless = (trace: Trace): Trace => ({
  ...trace,
  cid: harmlessText(trace.cid),
  name: harmlessText(trace.name),
  log: harmlessText(trace.log),
  details: trace.details.map((detail) => ({ ...detail, error: harmlessText(detail.error ?? '') })),
})
