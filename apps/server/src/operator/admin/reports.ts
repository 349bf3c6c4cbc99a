import {
  AppError,
  type BlockObjection,
  type contract,
  type Output,
  type Parsed,
  type ReportCase,
} from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { blockedAmong, placement } from '../../network/index.ts'
import { idAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import * as cases from '../abuse/decisions.ts'
import { answerOwner, type OwnerRow, pageOfObjections } from '../abuse/owners.ts'
import type { Context } from '../context.ts'
import { change, type Deps, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']

/** Reports shown of a case. */
const SHOWN = 20

async function toWireCases(db: Db, rows: readonly cases.ListedCase[]): Promise<ReportCase[]> {
  const cids = rows.flatMap(({ cid }) => (cid === '' ? [] : [cid]))
  // One after the other: a transaction has one connection.
  const known = await placement.findContents(db, cids)
  const blocked = await blockedAmong(db, cids)
  const ids = rows.map(({ id }) => id)
  const reports = await cases.reportsOf(db, ids, SHOWN)
  return rows.map(({ key: _, created_at, closed_at, ...row }) => ({
    ...row,
    known: known.has(row.cid),
    blocked: blocked.has(row.cid),
    created_at: created_at.toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
    reports: reports
      .filter(({ case_id }) => case_id === row.id)
      .map(({ category, text, target, email, created_at: at }) => ({
        category,
        text,
        target,
        email,
        at: at.toISOString(),
      })),
  }))
}

export async function listReports(
  { db }: Pick<Deps, 'db'>,
  { after, size, ...filter }: Parsed<Admin['reports']>,
): Promise<Output<Admin['reports']>> {
  const rows = await cases.pageOfCases(db, filter, idAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: await toWireCases(db, list), next }
}

/** Closes a case without a block, which tells its reporters; once. @throws AppError notFound */
export const changeReport = (
  context: Deps,
  operator: Operator,
  { id, closed, note }: Parsed<Admin['reportChange']>,
): Promise<ReportCase> =>
  change(context, operator, { action: 'report.change', subject: `report:${id}` }, async (tx) => {
    const was = await cases.lockCase(tx, id)
    if (!was) throw new AppError('notFound')
    if (closed && !was.closed_at) await cases.decide(context, tx, was, { by: operator.caller.uid, decision: 'kept' })
    if (note !== undefined) await cases.setNote(tx, id, note)
    const row = await cases.findCase(tx, id)
    const [result] = await toWireCases(tx, row ? [row] : [])
    if (!result) throw new AppError('notFound')
    const detail = { ...(closed && { closed }), ...(note !== undefined && { before: was.note, after: note }) }
    return { result, detail }
  })

async function toWireObjections(db: Db, rows: readonly OwnerRow[]): Promise<BlockObjection[]> {
  const [accounts, blocked] = await Promise.all([
    accountsOf(
      db,
      rows.map(({ user_id }) => user_id),
    ),
    blockedAmong(
      db,
      rows.map(({ cid }) => cid),
    ),
  ])
  return rows.map(
    ({ id, user_id, cid, name, category, objection, objected_at, answered_at, answered_by, answer, told_at }) => ({
      id,
      cid,
      name,
      category,
      uid: accounts.get(user_id)?.uid ?? '',
      text: objection,
      at: (objected_at ?? told_at).toISOString(),
      answered_at: answered_at?.toISOString() ?? null,
      answered_by,
      answer,
      blocked: blocked.has(cid),
    }),
  )
}

export async function listObjections(
  { db }: Pick<Deps, 'db'>,
  { answered, after, size }: Parsed<Admin['objections']>,
): Promise<Output<Admin['objections']>> {
  const rows = await pageOfObjections(db, answered, idAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.id])
  return { list: await toWireObjections(db, list), next }
}

/** @throws AppError notFound */
export const answerObjection = (
  context: Deps & Pick<Context, 'keys' | 'portalUrl'>,
  operator: Operator,
  { id, answer }: Parsed<Admin['objectionAnswer']>,
): Promise<BlockObjection> =>
  change(
    context,
    operator,
    { action: 'objection.answer', subject: `objection:${id}`, detail: { answer } },
    async (tx) => {
      const { row, before } = await answerOwner(context, tx, { id, answer, by: operator.caller.uid })
      const [result] = await toWireObjections(tx, [row])
      if (!result) throw new AppError('notFound')
      return { result, detail: { before: before.answer } }
    },
  )
