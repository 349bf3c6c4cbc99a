import type { contract, Output } from '@tidenet/contract'
import { accountFigures } from '../../identity/index.ts'
import { nodeFigures, placement, transferredLately } from '../../network/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { type Context, now } from '../context.ts'
import type { Deps } from './change.ts'
import { hasHour, hoursSince, insertHour } from './trends-repository.ts'

const HOUR_MS = 3_600_000
const DAYS = 7

/** Records the figures of the current hour, once. Counting is expensive in a large network, so pages read what was recorded. */
export async function recordHour(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const { db } = context
  const at = now(context)
  const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
  if (await hasHour(db, hour)) return
  const [users, nodes, contents, transferred] = await Promise.all([
    accountFigures(db, at),
    nodeFigures(db),
    placement.totals(db),
    transferredLately(db),
  ])
  await insertHour(db, {
    hour,
    users: users.total,
    nodes: nodes.total,
    nodes_online: nodes.online,
    contents: contents.total,
    short: contents.short,
    bytes: Math.min(contents.bytes, Number.MAX_SAFE_INTEGER),
    transferred,
  })
}

/** The hours of the last days that were recorded. */
export async function trends(context: Deps): Promise<Output<(typeof contract)['admin']['trends']>> {
  const rows = await hoursSince(context.db, ago(now(context), DAYS * DAY))
  return { list: rows.map(({ hour, ...row }) => ({ at: hour.toISOString(), ...row })) }
}
