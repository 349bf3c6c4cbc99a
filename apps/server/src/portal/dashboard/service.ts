import { ATTENTION, type contract, FILES_END_DAYS, type NoticeKind, type Output, TRACE } from '@tidenet/contract'
import { hiddenNotices, ownedTeams, troubledWebhooks } from '../../identity/index.ts'
import { devicesOfOwners } from '../../network/index.ts'
import { unreadAnswers } from '../../operator/index.ts'
import { earnedByDay, listClaims, ordersOfDashboard } from '../../payments/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import type { Member } from '../../platform/http/callers.ts'
import {
  countLinks,
  downloadsByDay,
  endingFiles,
  failedTransfers,
  lastTraces,
  storageSize,
} from '../../storage/index.ts'
import { type Context, now } from '../context.ts'

type Overview = Output<typeof contract.dashboard.overview>
type Attention = Overview['attention'][number]
type Usage = Output<typeof contract.usage.storageSize>
type Event = Overview['events'][number]

/** From this share of a quota, its owner is warned. */
const QUOTA_FROM = 0.8
/** What can be hidden as notices of a kind. */
const NOTICE_OF: Partial<Record<Attention['kind'], NoticeKind>> = {
  ordersDelete: 'orders',
  ordersEnd: 'orders',
  ordersUnpaid: 'orders',
  storage: 'usage',
  traffic: 'usage',
  devices: 'devices',
  filesEnd: 'ending',
  webhooks: 'webhooks',
  answers: 'support',
}
/** Failed transfers and failing webhooks are shown from or until then. */
const FAILED_DAYS = 3
const FAILING_HOUR_MS = 60 * 60_000
const ORDERS_END_DAYS = 1
/** More things of a kind are not counted. */
const COUNTED_MAX = 100

const EVENTS = 12
/** Of each kind, before they are sorted. */
const TRANSFERS = 8
const OTHERS = 3

/** Everything that the dashboard says first, from indexes of the account: nothing is counted over a whole table. */
export async function overview(context: Pick<Context, 'db' | 'clock'>, caller: Member): Promise<Overview> {
  const { db } = context
  const at = now(context)
  const { userId } = caller
  const after = (days: number) => new Date(at.getTime() + days * DAY)
  const [
    quota,
    files,
    failed,
    transfers,
    days,
    links,
    devices,
    webhooks,
    orders,
    claims,
    earned,
    unread,
    hidden,
    teams,
  ] = await Promise.all([
    storageSize(context, caller),
    endingFiles(db, userId, after(FILES_END_DAYS), COUNTED_MAX),
    failedTransfers(db, userId, ago(at, FAILED_DAYS * DAY), COUNTED_MAX),
    lastTraces(db, userId, at, { failed: false, limit: TRANSFERS }),
    downloadsByDay(context, userId, OTHERS),
    countLinks(db, userId),
    devicesOfOwners(db, [userId]),
    troubledWebhooks(db, userId, ago(at, FAILING_HOUR_MS)),
    ordersOfDashboard(db, userId, { at, endsBefore: after(ORDERS_END_DAYS), latest: OTHERS }),
    listClaims(db, userId, OTHERS, 0),
    earnedByDay(db, userId, {
      nodeId: undefined,
      since: ago(at, OTHERS * DAY)
        .toISOString()
        .slice(0, 10),
    }),
    unreadAnswers(db, userId),
    hiddenNotices(db, userId),
    usageOfTeams(context, userId),
  ])

  const troubled = devices.filter(({ problem }) => problem !== null)
  const attention: Attention[] = [
    ...quotasOf(quota),
    ...teams,
    ...(['ordersDelete', 'ordersEnd', 'ordersUnpaid'] as const).flatMap((kind) =>
      things(
        kind,
        orders.watch
          .filter((order) => order.kind === kind)
          .sort((a, b) => a.at.getTime() - b.at.getTime())
          .map(({ id, at }) => ({ id, name: '', at })),
      ),
    ),
    ...things(
      'transfers',
      failed.map(({ trace_id: id, name, created_at }) => ({ id, name, at: created_at })),
    ),
    ...things(
      'devices',
      troubled.map(({ node_id: id, name }) => ({ id, name, at: null })),
    ),
    ...things(
      'filesEnd',
      files.map(({ cid: id, name, expires_at }) => ({ id, name, at: expires_at })),
    ),
    ...things(
      'webhooks',
      webhooks.map(({ id, name, failing_since }) => ({ id: String(id), name, at: failing_since })),
    ),
    ...(unread > 0 ? [{ kind: 'answers' as const, count: unread, quota: 0, at: null, id: '', name: '' }] : []),
  ]

  const event = (kind: Event['kind'], when: Date | string, more: Partial<Event>): Event => ({
    kind,
    at: typeof when === 'string' ? when : when.toISOString(),
    amount: 0,
    count: 0,
    id: '',
    name: '',
    failed: false,
    label: null,
    ...more,
  })
  const endOf = (day: Date) => new Date(Math.min(at.getTime(), day.getTime() + DAY - 1))
  const events = [
    ...transfers
      .filter(({ state }) => state !== TRACE.open)
      .map(({ trace_id: id, name, transfer_type, total_size, state, created_at }) =>
        event(transfer_type === 'upload' ? 'uploaded' : 'downloaded', created_at, {
          id,
          name,
          amount: total_size,
          failed: state === TRACE.failed,
        }),
      ),
    ...days.map(({ day, downloads, bytes }) => event('traffic', endOf(day), { count: downloads, amount: bytes })),
    ...orders.latest.map(({ id, label, updated_at }) => event('ordered', updated_at, { id, label })),
    ...claims.map(({ created_at, amount }) => event('claimed', created_at, { amount })),
    ...earned
      .map(({ day, traffic, storage }) => event('earned', endOf(new Date(day)), { amount: traffic + storage }))
      .filter(({ amount }) => amount > 0),
  ]
  return {
    attention: attention
      .filter(({ kind }) => !hidden.has(NOTICE_OF[kind] ?? 'security'))
      .sort((a, b) => ATTENTION.indexOf(a.kind) - ATTENTION.indexOf(b.kind)),
    events: events.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, EVENTS),
    steps: { upload: quota.AssetCount > 0, share: links > 0, claim: claims.length > 0 },
  }
}

/** Warnings if a large part of a quota is used. Without a quota, everything is refused anyway. */
function quotasOf(usage: Usage, team = { uid: '', name: '' }): Attention[] {
  const { UsedSize, ReservedSize, TotalSize, UsedTraffic, TotalTraffic, TrafficUntil } = usage
  const quotas = [
    { kind: 'storage' as const, count: UsedSize + ReservedSize, quota: TotalSize, at: null },
    { kind: 'traffic' as const, count: UsedTraffic, quota: TotalTraffic, at: TrafficUntil },
  ]
  return quotas
    .filter(({ count, quota }) => quota > 0 && count >= quota * QUOTA_FROM)
    .map((entry) => ({ ...entry, id: team.uid, name: team.name }))
}

/** The same for the teams that an account owns. */
async function usageOfTeams(context: Pick<Context, 'db' | 'clock'>, userId: number): Promise<Attention[]> {
  const owned = await ownedTeams(context.db, userId)
  const usages = await Promise.all(owned.map(({ id }) => storageSize(context, { userId: id })))
  return owned.flatMap((team, index) => (usages[index] ? quotasOf(usages[index], team) : []))
}

/** One entry for several things of a kind, with the first of them. */
function things(kind: Attention['kind'], list: readonly { id: string; name: string; at: Date | null }[]): Attention[] {
  const [first] = list
  if (!first) return []
  const { id, name, at } = first
  return [{ kind, count: list.length, quota: 0, at: at?.toISOString() ?? null, id, name }]
}
