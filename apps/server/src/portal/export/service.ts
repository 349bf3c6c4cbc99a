import { Readable } from 'node:stream'
import { audit } from '../../platform/audit-log/audit-log.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ExportPart } from '../../platform/export.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Member } from '../../platform/http/callers.ts'
import { type Context, now } from '../context.ts'

type Deps = Pick<Context, 'db' | 'clock'>
type Features = readonly Pick<Feature<Context>, 'exported'>[]

/** Rows per query, so that the memory does not depend on the size of the account. */
const BATCH = 500
/** Of the document's format; raise it when a field changes its meaning. */
const VERSION = 1

/**
 * Everything about the caller's account as one JSON document: an object with an array for each part, one row a line. It is recorded in the
 * audit log. A reader that is slow delays only itself: nothing is held between two queries.
 */
export async function exportAccount(
  context: Deps,
  features: Features,
  caller: Member,
  from: { ip: string },
): Promise<Readable> {
  const { db } = context
  await audit(db, context, caller, from, { action: 'account.export', subject: `user:${caller.uid}` })
  const parts = features.flatMap(({ exported }) => exported?.({ id: caller.userId, uid: caller.uid }) ?? [])
  const shown = parts.filter(({ personal }) => caller.via === 'session' || !personal)
  const leftOut = parts.filter((part) => !shown.includes(part)).map(({ name }) => name)
  const head = {
    format: 'tidenet-export',
    version: VERSION,
    made_at: now(context).toISOString(),
    account: caller.uid,
    left_out: leftOut,
  }
  async function* text() {
    yield `${JSON.stringify(head).slice(0, -1)}`
    for (const part of shown) yield* rowsOf(part)
    yield '\n}\n'
  }
  async function* rowsOf({ name, rows }: ExportPart) {
    yield `,\n${JSON.stringify(name)}: [`
    let after = -1
    let first = true
    for (;;) {
      const page = await db.rows<{ row_key: number } & Record<string, unknown>>(sql`
        select * from (${rows}) part where row_key > ${after} order by row_key limit ${BATCH}`)
      const lines = page.map(({ row_key, ...row }) => JSON.stringify(row))
      if (lines.length > 0) yield `${first ? '' : ','}\n${lines.join(',\n')}`
      first &&= lines.length === 0
      after = page.at(-1)?.row_key ?? after
      if (page.length < BATCH) break
    }
    yield '\n]'
  }
  return Readable.from(text(), { highWaterMark: 1 })
}
