import { Readable } from 'node:stream'
import type { contract, Output, Parsed } from '@tidenet/contract'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { type AuditLogRow, pageOfAudit } from '../../platform/audit-log/query.ts'
import { csvLine } from '../../platform/csv.ts'
import { pageOf, timeAfter } from '../../platform/db/cursors.ts'
import type { Deps, Operator } from './change.ts'

type Admin = (typeof contract)['admin']
type Filter = Parsed<Admin['auditCsv']>

/** Rows per query of an export. */
const BATCH = 500

export async function listAudit(
  { db }: Pick<Deps, 'db'>,
  { after, size, ...filter }: Parsed<Admin['audit']>,
): Promise<Output<Admin['audit']>> {
  const rows = await pageOfAudit(db, filter, timeAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.at.getTime(), last.id])
  return { list: list.map((row) => ({ ...row, at: row.at.toISOString() })), next }
}

const HEAD = ['time', 'actor', 'via', 'credential', 'ip', 'action', 'subject', 'detail', 'result', 'id']

/** Streams the audit log as CSV, newest first. The export is recorded in the log, too. */
export async function exportAudit(context: Deps, { caller, ip }: Operator, filter: Filter): Promise<Readable> {
  const { db } = context
  await audit(db, context, caller, { ip }, { action: 'audit.export', subject: 'audit', detail: { ...filter } })
  async function* lines() {
    // Spreadsheets detect UTF-8 by the byte order mark.
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

const asLine = (row: AuditLogRow): string =>
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
