import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

/** The owners of those workloads that may run now: not stopped, and their order runs. */
export const findUsableWorkloads = async (db: Db, ids: readonly string[]): Promise<Map<string, number>> =>
  new Map(
    (
      await db.rows<{ id: string; user_id: number }>(sql`
        select l.id, w.user_id from workloads l join workspaces w on w.id = l.workspace_id
        where l.id = any(${[...new Set(ids)]}) and l.wanted = 'running' and w.state = 'ready'`)
    ).map(({ id, user_id }) => [id, user_id]),
  )
