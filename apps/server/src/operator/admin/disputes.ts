import { type AdminDispute, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { closeDispute, type DisputeRow, lockDispute, pageOfDisputes, toWireDispute } from '../../payments/index.ts'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { now } from '../context.ts'
import { change, type Deps, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']

async function toWire(db: Db, rows: readonly DisputeRow[]): Promise<AdminDispute[]> {
  const people = await accountsOf(
    db,
    rows.flatMap(({ user_id }) => user_id ?? []),
  )
  return rows.map((row) => ({
    ...toWireDispute(row),
    uid: people.get(row.user_id ?? 0)?.uid ?? '',
    email: people.get(row.user_id ?? 0)?.email ?? '',
    lang: row.lang,
    closed_by: row.closed_by,
    hours: row.hours,
  }))
}

export async function listDisputes(
  { db }: Pick<Deps, 'db'>,
  { after, size, closed }: Parsed<Admin['disputes']>,
): Promise<Output<Admin['disputes']>> {
  const rows = await pageOfDisputes(db, closed, idAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: await toWire(db, list), next }
}

/** Fields that are left out do not change. @throws AppError notFound */
export const changeDispute = (
  context: Deps,
  operator: Operator,
  { id, closed, note }: Parsed<Admin['disputeChange']>,
): Promise<AdminDispute> =>
  change(context, operator, { action: 'dispute.change', subject: `dispute:${id}` }, async (tx) => {
    const was = await lockDispute(tx, id)
    if (!was) throw new AppError('notFound')
    const at = closed === undefined ? was.closed_at : closed ? (was.closed_at ?? now(context)) : null
    const by = at === null ? '' : was.closed_at ? was.closed_by : operator.caller.uid
    const changed = { at, by, note: note ?? was.note }
    await closeDispute(tx, id, changed)
    const [result] = await toWire(tx, [{ ...was, closed_at: at, closed_by: by, note: changed.note }])
    return {
      result: result as AdminDispute,
      detail: {
        node: was.node_id,
        day: was.day,
        ...(closed !== undefined && { closed }),
        ...(note !== undefined && { before: was.note, after: note }),
      },
    }
  })
