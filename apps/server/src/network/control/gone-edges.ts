import { ago, DAY } from '../../platform/ago.ts'
import { sql } from '../../platform/db/sql.ts'
import { type Context, now } from '../context.ts'
import { forgetFigures } from '../explorer/figures.ts'

/** An edge that has been silent for so long is gone. */
const GONE_LIFE = 30 * DAY
const AT_ONCE = 200

/**
 * Edges that never came back, and what hangs on them. Those stay that belong to somebody, and those that may have the last copy of
 * a content.
 */
export async function forgetGoneEdges(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = ago(now(context), GONE_LIFE)
  await context.db.transaction(async (tx) => {
    const gone = await tx.rows<{ id: string }>(sql`
      delete from nodes where id in (
        select n.id from nodes n
        where n.status = 'offline' and n.kind = 'edge' and n.seen_at < ${before} and n.owner_id is null and n.out_since is null
          and not exists (
            select 1 from replicas r join contents c on c.cid = r.cid
            where r.node_id = n.id and r.state in ('stored', 'claimed', 'lost') and (r.state <> 'lost' or c.stored = 0)
          )
        order by n.seen_at limit ${AT_ONCE} for update of n skip locked)
      returning id`)
    const ids = gone.map((row) => row.id)
    if (ids.length > 0) await forgetFigures(tx, ids)
  })
}
