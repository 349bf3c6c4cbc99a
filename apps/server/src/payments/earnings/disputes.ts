import { AppError, type contract, type EarningDispute, type Lang, type Output, type Parsed } from '@tidenet/contract'
import { lockAccountForUpdate } from '../../identity/index.ts'
import { DAY } from '../../platform/ago.ts'
import { secondsUntil } from '../../platform/attempts/attempts.ts'
import type { Member } from '../../platform/http/callers.ts'
import { harmlessText } from '../../storage/index.ts'
import { type Context, now } from '../context.ts'
import * as repository from './disputes-repository.ts'
import { findDay } from './read-repository.ts'

export { closeDispute, countOpenDisputes, type DisputeRow, lockDispute, pageOfDisputes } from './disputes-repository.ts'

type Earnings = (typeof contract)['earnings']
type Deps = Pick<Context, 'db' | 'clock'>

/** Disputes that one account may open within a day. */
const DISPUTES_PER_DAY = 20

export const toWireDispute = (row: repository.DisputeRow): EarningDispute => ({
  id: row.id,
  node_id: row.node_id,
  day: row.day,
  stated: { traffic: row.stated_traffic, storage: row.stated_storage },
  computed: { traffic: row.computed_traffic, storage: row.computed_storage },
  text: row.text,
  created_at: row.created_at.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
  note: row.note,
})

/**
 * Stores both results of a day for the operators. The stated one is that of the database, not of the caller; hours of other days,
 * numbers that are no hour, and what is sent for an hour again are left out.
 * @throws AppError notFound if the device earned nothing for the account on that day; tooManyRequests
 */
export const openDispute = (
  context: Deps,
  caller: Member,
  { node_id, day, text, ...sent }: Parsed<Earnings['dispute']>,
  lang: Lang,
): Promise<EarningDispute> =>
  context.db.transaction(async (tx) => {
    const at = now(context)
    // Two requests at once open one dispute.
    await lockAccountForUpdate(tx, caller.userId)
    const stated = await findDay(tx, caller.userId, node_id, day)
    if (!stated) throw new AppError('notFound')
    const open = await repository.findOpen(tx, caller.userId, node_id, day)
    if (open) return toWireDispute(open)
    const latest = await repository.disputesBeyond(tx, caller.userId, DISPUTES_PER_DAY, at)
    if (latest)
      throw new AppError('tooManyRequests', { seconds: secondsUntil(new Date(latest.created_at.getTime() + DAY), at) })
    const begins = Date.parse(day) / 1000
    const hours = sent.hours.filter(
      ({ hour }, index, all) =>
        hour >= begins &&
        hour < begins + DAY / 1000 &&
        hour % 3600 === 0 &&
        all.findIndex((other) => other.hour === hour) === index,
    )
    const sum = (cause: 'traffic' | 'storage') =>
      Math.min(
        Number.MAX_SAFE_INTEGER,
        hours.reduce((total, hour) => total + hour[cause], 0),
      )
    const computed = { traffic: sum('traffic'), storage: sum('storage') }
    const dispute = { userId: caller.userId, node_id, day, hours, text: harmlessText(text), lang, stated, computed, at }
    return toWireDispute(await repository.insertDispute(tx, dispute))
  })

export async function listDisputes(
  { db }: Pick<Deps, 'db'>,
  caller: Member,
  { page, size }: Parsed<Earnings['disputes']>,
): Promise<Output<Earnings['disputes']>> {
  const rows = await repository.disputesOf(db, caller.userId, size, (page - 1) * size)
  return { list: rows.map(toWireDispute), total: await repository.countDisputes(db, caller.userId) }
}
