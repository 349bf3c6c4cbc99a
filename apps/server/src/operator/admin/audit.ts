import { Readable } from 'node:stream'
import type { AuditRow, contract, Output, Parsed } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { pageOf, timeAfter } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import type { Needs, Operator } from './change.ts'
import { csvLine } from './csv.ts'

type Admin = (typeof contract)['admin']
type Filter = Parsed<Admin['auditCsv']>
type Row = Omit<AuditRow, 'at'> & { at: Date }

/** Rows that an export holds at a time. */
const BATCH = 500

const columns: Sql = sql`id, at, actor, via, credential, ip, action, subject, detail, result`

const pageOfAudit = (db: Db, filter: Filter, before: { at: Date; id: number } | undefined, limit: number) =>
  db.rows<Row>(sql`
    select ${columns} from audit_log where true
      ${filter.action === undefined ? none : sql`and action = ${filter.action}`}
      ${!filter.actor ? none : filter.actor === 'system' ? sql`and via = 'system'` : sql`and actor = ${filter.actor}`}
      ${!filter.subject ? none : sql`and subject = ${filter.subject}`}
      ${filter.result === undefined ? none : sql`and result = ${filter.result}`}
      ${filter.from === undefined ? none : sql`and at >= ${filter.from}`}
      ${filter.to === undefined ? none : sql`and at < ${filter.to}`}
      ${before === undefined ? none : sql`and (at, id) < (${before.at}, ${before.id})`}
    order by at desc, id desc limit ${limit}`)

export async function listAudit(
  { db }: Pick<Needs, 'db'>,
  { after, size, ...filter }: Parsed<Admin['audit']>,
): Promise<Output<Admin['audit']>> {
  const rows = await pageOfAudit(db, filter, timeAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.at.getTime(), last.id])
  return { list: list.map((row) => ({ ...row, at: row.at.toISOString() })), next }
}

const HEAD = ['time', 'actor', 'via', 'credential', 'ip', 'action', 'subject', 'detail', 'result', 'id']

/** The whole log as a table, newest first, read in pieces as the caller takes it. That it was taken is written down. */
export async function exportAudit(context: Needs, { caller, ip }: Operator, filter: Filter): Promise<Readable> {
  const { db } = context
  await audit(db, context, caller, { ip }, { action: 'audit.export', subject: 'audit', detail: { ...filter } })
  async function* lines() {
    // Spreadsheets take a file for UTF-8 only with this mark.
    yield `\ufeff${csvLine(HEAD)}`
    let before: { at: Date; id: number } | undefined
    for (;;) {
      const rows = await pageOfAudit(db, filter, before, BATCH)
      if (rows.length > 0) yield rows.map(asLine).join('')
      before = rows.at(-1)
      if (rows.length < BATCH) return
    }
  }
  return Readable.from(lines(), { highWaterMark: 1 })
}

const asLine = (row: Row): string =>
  csvLine([
    row.at.toISOString(),
    row.actor,
    row.via,
    row.credential,
    row.ip,
    row.action,
    row.subject,
    JSON.stringify(row.detail),
    row.result,
    row.id,
  ])
