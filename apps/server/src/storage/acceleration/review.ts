import { ACCELERATION_GRACE_DAYS, NEAR_COPIES } from '@tidenet/contract'
import { plansOf } from '../../identity/index.ts'
import { assumedFirstByte, findFirstBytes, isTrusted, type NodeRow, nodeTable, placement } from '../../network/index.ts'
import { DAY } from '../../platform/ago.ts'
import { UNKNOWN_COUNTRY } from '../../platform/areas.ts'
import { advisoryLock } from '../../platform/db/advisory-lock.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { chooseNearAreas, readersOf } from './near-areas.ts'
import * as repository from './repository.ts'

/** Decides where extra copies go. Each account is reviewed at an interval, and soon after a change. */

type Deps = Pick<Context, 'db' | 'clock' | 'config' | 'policy'>

const ACCOUNTS_PER_RUN = 20
/** Contents of an account that are accelerated, at most; the newest. */
const CONTENTS_MAX = 10_000
const INTERVAL = { usual: 5 * 60_000, quick: 1000 }
/** Interval while copies are on their way. */
const WARMING_INTERVAL = { usual: 10_000, quick: 500 }

/** Bytes of extra copies that an account may have: as many as it may store. */
export const copiesLimit = (plan: { storage: number } | undefined): number => plan?.storage ?? 0

export async function reviewDue(context: Deps, signal: AbortSignal): Promise<void> {
  for (const userId of await repository.findDueAccounts(context.db, now(context), ACCOUNTS_PER_RUN)) {
    if (signal.aborted) return
    await context.db.transaction((tx) => reviewAccount(context, tx, userId))
  }
}

/** Reviews the accelerated contents of an account. Contents whose areas change become due for placement. */
export async function reviewAccount(context: Deps, tx: Db, userId: number): Promise<void> {
  await advisoryLock(tx, `acceleration ${userId}`)
  const at = now(context)
  const plan = (await plansOf(tx, [userId])).get(userId)
  await repository.setEnd(tx, userId, plan?.vip === true, new Date(at.getTime() + ACCELERATION_GRACE_DAYS * DAY))
  await repository.deleteEnded(tx, userId, at)
  const [covered, before, weights] = [
    await repository.findCovered(tx, userId, CONTENTS_MAX),
    await repository.findNear(tx, userId),
    await repository.findWeights(tx, userId, at),
  ]
  const reads = groupBy(weights, ({ cid }) => cid)
  const current = groupBy(before, ({ cid }) => cid)
  const contents = covered.map((row) => ({
    ...row,
    reads: new Map((reads.get(row.cid) ?? []).map(({ country, weight }) => [country, weight])),
    current: new Set((current.get(row.cid) ?? []).flatMap(({ readers }) => readers)),
  }))
  const nearest = await nearestTo(
    context,
    contents.flatMap((content) => readersOf(content).map(({ reader }) => reader)),
    at,
  )
  // Of a plan that has ended, copies stay where they are, for a while.
  const chosen = plan?.vip
    ? chooseNearAreas(contents, { nearest, limit: copiesLimit(plan) })
    : new Map(covered.map(({ cid }) => [cid, current.get(cid) ?? []]))
  const rows = [...chosen].flatMap(([cid, near]) =>
    near.map(({ country, readers, cause }) => ({ cid, country, readers, cause })),
  )
  const keyOf = ({ cid, country }: { cid: string; country: string }) => `${cid} ${country}`
  const wanted = new Set(rows.map(keyOf))
  const had = new Map(before.map((row) => [keyOf(row), row]))
  const gone = before.filter((row) => !wanted.has(keyOf(row)))
  const changed = rows.filter((row) => {
    const old = had.get(keyOf(row))
    return !old || old.cause !== row.cause || old.readers.join() !== row.readers.join()
  })
  if (gone.length > 0)
    await repository.deleteNear(
      tx,
      userId,
      gone.map(({ cid, country }) => [cid, country] as const),
    )
  if (changed.length > 0) await repository.upsertNear(tx, userId, changed, at)
  const moved = [...gone, ...rows.filter((row) => !had.has(keyOf(row)))].map(({ cid }) => cid)
  if (moved.length > 0) await placement.checkContents(tx, [...new Set(moved)], at)
  const isWarming = await updateReady(tx, userId, at)
  const interval = (isWarming ? WARMING_INTERVAL : INTERVAL)[context.config.pace]
  await repository.setCheck(tx, userId, new Date(at.getTime() + interval))
}

/** Records which copies near readers are stored. @returns whether some are not */
async function updateReady(tx: Db, userId: number, at: Date): Promise<boolean> {
  const rows = await repository.findNear(tx, userId)
  if (rows.length === 0) return false
  const stored = new Map(
    (await placement.countStoredIn(tx, rows)).map((row) => [`${row.cid} ${row.country}`, row] as const),
  )
  const changes = rows.flatMap(({ cid, country, ready_at, copied }) => {
    const found = stored.get(`${cid} ${country}`)
    const ready = (found?.stored ?? 0) > 0
    const bytes = copiedBytes({ copied }, found)
    return ready !== (ready_at !== null) || bytes > copied ? [{ cid, country, ready, copied: bytes }] : []
  })
  if (changes.length > 0) await repository.setReady(tx, userId, changes, at)
  return rows.some(({ cid, country }) => {
    const found = stored.get(`${cid} ${country}`)
    return (found?.stored ?? 0) < NEAR_COPIES
  })
}

/** Bytes that nodes fetched from each other for the copies in one area. */
export const copiedBytes = (
  { copied }: Pick<repository.NearRow, 'copied'>,
  found: { fetched: number; size: number } | undefined,
): number => Math.max(copied, Math.min(NEAR_COPIES, found?.fetched ?? 0) * (found?.size ?? 0))

/** Whether a node could serve a copy near readers. */
const isSuitable = (node: NodeRow): boolean =>
  isTrusted(node) &&
  node.status === 'online' &&
  node.reachable &&
  !node.draining &&
  !node.out &&
  node.country !== UNKNOWN_COUNTRY

/** Times above this are not near, ms. */
const NEAR_MAX_MS = 200

/** The countries whose nodes are nearest to these readers, by what they measured, or else on the same continent. */
export async function nearestTo(context: Deps, readers: readonly string[], at: Date) {
  const nodes = new Map<string, number>()
  for (const node of await nodeTable(context))
    if (isSuitable(node)) nodes.set(node.country, (nodes.get(node.country) ?? 0) + 1)
  const times = new Map<string, ReadonlyMap<string, number>>()
  for (const reader of new Set(readers)) times.set(reader, (await findFirstBytes(context, reader, at)).countries)
  return (reader: string, allowed: readonly string[]): string | undefined => {
    const suits = (country: string) => nodes.has(country) && (allowed.length === 0 || allowed.includes(country))
    // Its own country first, whatever was measured: false reports must not move copies away from readers.
    if (suits(reader)) return reader
    const timeOf = (country: string) => times.get(reader)?.get(country) ?? assumedFirstByte(reader, country)
    return [...nodes.keys()]
      .filter((country) => suits(country) && timeOf(country) <= NEAR_MAX_MS)
      .sort((a, b) => timeOf(a) - timeOf(b) || (nodes.get(b) ?? 0) - (nodes.get(a) ?? 0) || (a < b ? -1 : 1))[0]
  }
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}
