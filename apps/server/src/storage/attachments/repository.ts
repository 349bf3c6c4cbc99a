import type { Db } from '../../platform/db/db.ts'
import { sql } from '../../platform/db/sql.ts'

export interface AttachmentRow {
  id: string
  cid: string
  name: string
  size: number
  /** The only nodes that it may be read from; null: any. */
  restricted_to: string[] | null
}

export const insertAttachment = async (tx: Db, row: Omit<AttachmentRow, 'id'>, at: Date): Promise<string> =>
  (
    await tx.one<{ id: string }>(sql`
      insert into attachments (cid, name, size, restricted_to, created_at)
      values (${row.cid}, ${row.name}, ${row.size}, ${row.restricted_to}, ${at}) returning id`)
  ).id

/** Counts a read. @returns undefined if it is released or was read `max` times */
export const countRead = (db: Db, id: string, max: number): Promise<AttachmentRow | undefined> =>
  db.maybe(sql`
    update attachments set reads = reads + 1 where id = ${id}::uuid and not released and reads < ${max}
    returning id, cid, name, size, restricted_to`)

/** Restricts those that are not restricted yet. */
export const restrictAttachments = (tx: Db, cid: string, nodeIds: readonly string[]): Promise<number> =>
  tx.run(sql`update attachments set restricted_to = ${nodeIds} where cid = ${cid} and restricted_to is null`)

/** Deletes attachments whose messages were deleted. @returns their CIDs */
export const deleteReleased = async (tx: Db, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ cid: string }>(sql`
      delete from attachments where id in (select id from attachments where released limit ${limit} for update skip locked)
      returning cid`)
  ).map(({ cid }) => cid)
