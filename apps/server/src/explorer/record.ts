import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Bytes that moved. An upload has no source, a download no target: people are no places. */
export interface Moved {
  kind: 'upload' | 'download' | 'replica'
  size: number
  from?: string | undefined
  to?: string | undefined
}

/** Writes down that bytes moved, in the transaction that finds it out. */
export async function recordTransfers(tx: Db, moved: readonly Moved[], at: Date): Promise<void> {
  if (moved.length === 0) return
  await tx.run(sql`
    insert into transfers (kind, size, from_node, to_node, at)
    select kind, size, from_node, to_node, ${at} from unnest(${moved.map(({ kind }) => kind)}::text[],
      ${moved.map(({ size }) => Math.floor(size))}::bigint[], ${moved.map(({ from }) => from ?? null)}::text[],
      ${moved.map(({ to }) => to ?? null)}::text[]) m (kind, size, from_node, to_node)`)
}
