import { type AdminSupport, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { escapeLike, idAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { closeSupport, harmlessText, lockSupport, pageOfSupports, type SupportRow } from '../../storage/index.ts'
import { now } from '../context.ts'
import { change, type Deps, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']

/** Texts that the sender controls lose characters that could mislead operators. */
async function toWire(db: Db, rows: readonly SupportRow[]): Promise<AdminSupport[]> {
  const people = await accountsOf(
    db,
    rows.flatMap(({ sender_id }) => sender_id ?? []),
  )
  return rows.map(({ id, sender_id, lang, text, sent_at, closed_at, closed_by, note, user_id: _, ...trace }) => ({
    id,
    uid: people.get(sender_id ?? 0)?.uid ?? '',
    email: people.get(sender_id ?? 0)?.email ?? '',
    lang,
    text,
    created_at: sent_at.toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
    closed_by,
    note,
    trace: {
      ...trace,
      cid: harmlessText(trace.cid),
      name: harmlessText(trace.name),
      created_at: trace.created_at.toISOString(),
      log: harmlessText(trace.log),
      details: trace.details.map((detail) => ({ ...detail, error: harmlessText(detail.error) })),
    },
  }))
}

export async function listSupports(
  { db }: Pick<Deps, 'db'>,
  { after, size, closed, q }: Parsed<Admin['supports']>,
): Promise<Output<Admin['supports']>> {
  const words = q ? `%${escapeLike(q)}%` : undefined
  const rows = await pageOfSupports(db, { closed, words }, idAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: await toWire(db, list), next }
}

/** Fields that are left out do not change. @throws AppError notFound */
export const changeSupport = (
  context: Deps,
  operator: Operator,
  { id, closed, note }: Parsed<Admin['supportChange']>,
): Promise<AdminSupport> =>
  change(context, operator, { action: 'support.change', subject: `support:${id}` }, async (tx) => {
    const was = await lockSupport(tx, id)
    if (!was) throw new AppError('notFound')
    const at = closed === undefined ? was.closed_at : closed ? (was.closed_at ?? now(context)) : null
    const by = at === null ? '' : was.closed_at ? was.closed_by : operator.caller.uid
    const changed = { at, by, note: note ?? was.note }
    await closeSupport(tx, id, changed)
    const [result] = await toWire(tx, [{ ...was, closed_at: at, closed_by: by, note: changed.note }])
    return {
      result: result as AdminSupport,
      detail: {
        trace: was.trace_id,
        ...(closed !== undefined && { closed }),
        ...(note !== undefined && { before: was.note, after: note }),
      },
    }
  })
