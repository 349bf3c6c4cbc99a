import {
  AppError,
  type contract,
  type EarnedAmounts,
  type EarningHour,
  type Output,
  type Parsed,
} from '@tidenet/contract'
import { EARNING_VERSIONS, versionOfHour } from '@tidenet/receipts'
import { notificationChoices } from '../../identity/index.ts'
import { countDevices, devicesOf, ownerOf } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import type { Member } from '../../platform/http/callers.ts'
import { downloadReceiptsOfNode, unearnedTraffic } from '../../storage/index.ts'
import { type Context, now } from '../context.ts'
import { pointsOf } from '../rewards/service.ts'
import { CLOSE_AFTER_MS, dayOf } from './close.ts'
import type { ComputedHour } from './inputs.ts'
import * as repository from './read-repository.ts'
import { type PacedDb, runningHours } from './running.ts'

type Earnings = (typeof contract)['earnings']
type Deps = Pick<Context, 'db' | 'clock' | 'config'>

const NOTHING: EarnedAmounts = { traffic: 0, storage: 0 }
const PERIODS = ['today', 'yesterday', 'week', 'month', 'total'] as const

const plus = (a: EarnedAmounts, b: EarnedAmounts): EarnedAmounts => ({
  traffic: a.traffic + b.traffic,
  storage: a.storage + b.storage,
})
const sumOf = (amounts: readonly EarnedAmounts[]): EarnedAmounts => amounts.reduce(plus, NOTHING)
const dayOfHour = ({ claims }: ComputedHour): string => dayOf(new Date(claims.hour * 1000))

/** What the devices of the account earned, with the running hours. */
export async function summary(
  context: Deps,
  caller: Member,
  { page, size }: Parsed<Earnings['summary']>,
): Promise<Output<Earnings['summary']>> {
  const { db } = context
  const at = now(context)
  const [today, yesterday] = [dayOf(at), dayOf(new Date(at.getTime() - DAY))]
  const sums = new Map((await repository.sumsByDevice(db, caller.userId, today)).map((row) => [row.node_id, row]))
  const running = await runningHours(context, { ownerId: caller.userId }, at)
  const devices = await devicesOf(db, { ownerId: caller.userId, ids: [...sums.keys()] })
  const known = new Map(devices.map((device) => [device.node_id, device]))

  const list = [...new Set([...known.keys(), ...sums.keys()])].map((node_id) => {
    const row = sums.get(node_id)
    const open = running.filter(({ claims }) => claims.node === node_id)
    const of = (period: (typeof PERIODS)[number]) => {
      const closed = { traffic: row?.[`${period}_traffic`] ?? 0, storage: row?.[`${period}_storage`] ?? 0 }
      const day = period === 'today' ? today : period === 'yesterday' ? yesterday : undefined
      return plus(closed, sumOf(open.filter((hour) => day === undefined || dayOfHour(hour) === day)))
    }
    return {
      node_id,
      name: known.get(node_id)?.name ?? '',
      owned: known.get(node_id)?.owned ?? false,
      today: of('today'),
      yesterday: of('yesterday'),
      week: of('week'),
      month: of('month'),
      total: of('total'),
      running: sumOf(open),
    }
  })
  const most = (one: (typeof list)[number]) => one.month.traffic + one.month.storage
  list.sort((a, b) => most(b) - most(a) || (a.node_id < b.node_id ? -1 : 1))
  const all = (period: (typeof PERIODS)[number] | 'running') => sumOf(list.map((device) => device[period]))
  return {
    today: all('today'),
    yesterday: all('yesterday'),
    week: all('week'),
    month: all('month'),
    total: all('total'),
    running: all('running'),
    points: await pointsOf(db, caller.userId),
    version: versionOfHour(Math.floor(at.getTime() / 1000)).version,
    closes_after: CLOSE_AFTER_MS / 1000,
    list: list.slice((page - 1) * size, page * size),
    total_devices: list.length,
    weekly: (await notificationChoices(db, caller.userId)).every(({ kind, email }) => kind !== 'earnings' || email),
  }
}

/** What a node earned for the account that owns it now. What it earned for earlier owners is theirs to know. */
export async function earningsOfNode(
  context: PacedDb & Pick<Context, 'clock'>,
  nodeId: string,
): Promise<Output<(typeof contract)['nodeControl']['earnings']>> {
  const { db } = context
  const ownerId = await ownerOf(db, nodeId)
  if (ownerId === null) return { owned: false, today: 0, month: 0, total: 0 }
  const at = now(context)
  const today = dayOf(at)
  const [row] = await repository.sumsByDevice(db, ownerId, today, nodeId)
  const running = await runningHours(context, { ownerId, nodeId }, at)
  const open = sumOf(running)
  const openToday = sumOf(running.filter((hour) => dayOfHour(hour) === today))
  const both = ({ traffic, storage }: EarnedAmounts) => traffic + storage
  return {
    owned: true,
    today: both(openToday) + (row?.today_traffic ?? 0) + (row?.today_storage ?? 0),
    month: both(open) + (row?.month_traffic ?? 0) + (row?.month_storage ?? 0),
    total: both(open) + (row?.total_traffic ?? 0) + (row?.total_storage ?? 0),
  }
}

/** Every day of the last ones, also those without earnings. */
export async function days(
  context: Deps,
  caller: Member,
  { node_id, days: count }: Parsed<Earnings['days']>,
): Promise<Output<Earnings['days']>> {
  const at = now(context)
  const names = Array.from({ length: count }, (_, index) => dayOf(new Date(at.getTime() - (count - 1 - index) * DAY)))
  const since = names[0] ?? dayOf(at)
  const rows = await repository.sumsByDay(context.db, caller.userId, { nodeId: node_id, since })
  const filter = { ownerId: caller.userId, ...(node_id !== undefined && { nodeId: node_id }) }
  const running = await runningHours(context, filter, at)
  const closed = new Map(rows.map(({ day, ...amounts }) => [day, amounts]))
  return {
    list: names.map((day) => ({
      day,
      ...plus(closed.get(day) ?? NOTHING, sumOf(running.filter((hour) => dayOfHour(hour) === day))),
    })),
  }
}

const periodOf = (day: string) => {
  const from = new Date(`${day}T00:00:00Z`)
  return { from, to: new Date(from.getTime() + DAY) }
}

/** @throws AppError notFound: the device neither belongs to the account nor earned for it */
async function requireDevice(
  context: Deps,
  caller: Member,
  nodeId: string,
): Promise<{ name: string; owned: boolean; linked_at?: Date }> {
  const devices = await devicesOf(context.db, { ownerId: caller.userId, ids: [nodeId] })
  const device = devices.find(({ node_id }) => node_id === nodeId)
  if (device?.owned) return device
  if (!(await repository.hasEarned(context.db, caller.userId, nodeId))) throw new AppError('notFound')
  return { name: device?.name ?? '', owned: false }
}

/** One device on one day: only hours in which it belonged to the account. @throws AppError notFound */
export async function statement(
  context: Deps,
  caller: Member,
  { node_id, day }: Parsed<Earnings['statement']>,
): Promise<Output<Earnings['statement']>> {
  const { db } = context
  const device = await requireDevice(context, caller, node_id)
  const sums = await repository.findDay(db, caller.userId, node_id, day)
  const closed = await repository.hoursOf(db, caller.userId, node_id, periodOf(day))
  const open = device.owned
    ? await runningHours(context, { ownerId: caller.userId, nodeId: node_id }, now(context))
    : []
  const running = open.filter((hour) => dayOfHour(hour) === day)
  const rows = await unearnedTraffic(db, node_id, periodOf(day))
  const unearnedOf = (hour: number) =>
    rows.filter((row) => unix(row.hour) === hour).map(({ kind, bytes }) => ({ kind, bytes }))
  const hours = [...closed.map((row) => closedHour(row, caller.uid)), ...running.map(openHour)]
  return {
    sub: caller.uid,
    node_id,
    name: device.name,
    day,
    traffic: sums?.traffic ?? 0,
    storage: sums?.storage ?? 0,
    receipt: sums?.receipt_id ?? null,
    running: sumOf(running),
    hours: hours.map((hour) => ({ ...hour, unearned: unearnedOf(hour.hour) })),
  }
}

const unix = (at: Date): number => Math.floor(at.getTime() / 1000)

function closedHour(row: repository.NodeHourRow, sub: string): Omit<EarningHour, 'unearned'> {
  const { hour: at, receipt_id, version, traffic, storage, node_id: _, audited, ...rest } = row
  const hour = unix(at)
  const inputs = { ...rest, audited: audited ? unix(audited) : 0 }
  const { hindranceOf } = EARNING_VERSIONS[version - 1] ?? versionOfHour(hour)
  return {
    hour,
    version,
    receipt: receipt_id,
    hindrance: hindranceOf({ sub, hour, ...inputs }),
    traffic,
    storage,
    inputs,
  }
}

function openHour({ claims, version, traffic, storage, hindrance }: ComputedHour): Omit<EarningHour, 'unearned'> {
  const { kind: _, sub: __, node: ___, hour, ...inputs } = claims
  return { hour, version, receipt: null, hindrance, traffic, storage, inputs }
}

/** @throws AppError notFound */
export async function downloads(
  context: Deps,
  caller: Member,
  { node_id, day, page, size }: Parsed<Earnings['downloads']>,
): Promise<Output<Earnings['downloads']>> {
  const { owned, linked_at: since } = await requireDevice(context, caller, node_id)
  // Receipts name the accounts that downloaded: an owner sees those of its own time only, and not after it.
  if (!owned || !since) throw new AppError('notFound')
  return downloadReceiptsOfNode(context.db, node_id, periodOf(day), { since, limit: size, offset: (page - 1) * size })
}

const MILLION = 1_000_000

/** Devices by state and earnings in points, as older clients show them. @throws AppError forbidden for another account */
export async function deviceCount(
  context: Deps,
  caller: Member,
  { user_id }: Parsed<Earnings['deviceCount']>,
): Promise<Output<Earnings['deviceCount']>> {
  if (user_id !== undefined && user_id !== '' && user_id !== caller.uid) throw new AppError('forbidden')
  const { total, yesterday, today, week, month } = await summary(context, caller, { page: 1, size: 1 })
  const counts = await countDevices(context.db, caller.userId)
  const inPoints = ({ traffic, storage }: EarnedAmounts) => (traffic + storage) / MILLION
  return {
    profile: {
      cumulative_profit: inPoints(total),
      yesterday_profit: inPoints(yesterday),
      today_profit: inPoints(today),
      seven_days_profit: inPoints(week),
      month_profit: inPoints(month),
      total_num: counts.total,
      online_num: counts.online,
      offline_num: counts.offline,
      abnormal_num: counts.abnormal,
    },
  }
}
