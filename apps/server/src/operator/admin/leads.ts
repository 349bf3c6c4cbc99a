import { type AdminLead, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import { now } from '../context.ts'
import { handleLead, type LeadRow, lockLeadForUpdate, pageOfLeads } from '../leads/service.ts'
import { change, type Deps, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']

const asLead = ({ created_at, handled_at, ...row }: LeadRow): AdminLead => ({
  ...row,
  created_at: created_at.toISOString(),
  handled_at: handled_at?.toISOString() ?? null,
})

export async function listLeads(
  { db }: Pick<Deps, 'db'>,
  { after, size, ...filter }: Parsed<Admin['leads']>,
): Promise<Output<Admin['leads']>> {
  const rows = await pageOfLeads(db, filter, idAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: list.map(asLead), next }
}

/** Fields that are left out do not change. @throws AppError notFound */
export const changeLead = (
  context: Deps,
  operator: Operator,
  { id, handled, note }: Parsed<Admin['leadChange']>,
): Promise<AdminLead> =>
  change(context, operator, { action: 'lead.change', subject: `lead:${id}` }, async (tx) => {
    const was = await lockLeadForUpdate(tx, id)
    if (!was) throw new AppError('notFound')
    const at = handled === undefined ? was.handled_at : handled ? (was.handled_at ?? now(context)) : null
    const by = at === null ? '' : was.handled_at ? was.handled_by : operator.caller.uid
    const row = await handleLead(tx, id, { at, by, note: note ?? was.note })
    return {
      result: asLead(row),
      detail: {
        ...(handled !== undefined && { handled }),
        ...(note !== undefined && { before: was.note, after: note }),
      },
    }
  })
