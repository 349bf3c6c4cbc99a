import { type AdminLead, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { idAfter, literally, pageOf } from '../../platform/db/cursors.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { now } from '../context.ts'
import { change, type Needs, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']
type LeadRow = Omit<AdminLead, 'created_at' | 'handled_at'> & { created_at: Date; handled_at: Date | null }

const columns: Sql = sql`l.id, l.kind, l.name, l.email, l.organisation, l.text, l.lang, l.created_at, l.handled_at, l.handled_by, l.note`

const asLead = ({ created_at, handled_at, ...row }: LeadRow): AdminLead => ({
  ...row,
  created_at: created_at.toISOString(),
  handled_at: handled_at?.toISOString() ?? null,
})

export async function listLeads(
  { db }: Pick<Needs, 'db'>,
  { kind, handled, q, after, size }: Parsed<Admin['leads']>,
): Promise<Output<Admin['leads']>> {
  const before = idAfter(after)
  const word = `%${literally(q ?? '')}%`
  const rows = await db.rows<LeadRow>(sql`
    select ${columns} from leads l where true
      ${kind === undefined ? none : sql`and l.kind = ${kind}`}
      ${handled === undefined ? none : handled ? sql`and l.handled_at is not null` : sql`and l.handled_at is null`}
      ${q ? sql`and (l.name ilike ${word} or l.email ilike ${word} or l.organisation ilike ${word} or l.text ilike ${word})` : none}
      ${before === undefined ? none : sql`and l.id < ${before}`}
    order by l.id desc limit ${size + 1}`)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: list.map(asLead), next }
}

/** What is left out stays. @throws AppError notFound */
export const changeLead = (
  context: Needs,
  operator: Operator,
  { id, handled, note }: Parsed<Admin['leadChange']>,
): Promise<AdminLead> =>
  change(context, operator, { action: 'lead.change', subject: `lead:${id}` }, async (tx) => {
    const was = await tx.maybe<LeadRow>(sql`select ${columns} from leads l where l.id = ${id} for update`)
    if (!was) throw new AppError('notFound')
    const at = handled === undefined ? was.handled_at : handled ? (was.handled_at ?? now(context)) : null
    const by = at === null ? '' : was.handled_at ? was.handled_by : operator.caller.uid
    const row = await tx.one<LeadRow>(sql`
      update leads l set handled_at = ${at}, handled_by = ${by}, note = ${note ?? was.note} where id = ${id} returning ${columns}`)
    return {
      result: asLead(row),
      detail: {
        ...(handled !== undefined && { handled }),
        ...(note !== undefined && { before: was.note, after: note }),
      },
    }
  })
