import { AppError, type BlockCategory } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { notifyAllNodes } from '../nodes/work-signal.ts'
import * as repository from './repository.ts'

/** Contents that operators blocked: no node serves them, and the server names no sources of them. */

export { type BlockFilter, type BlockRow, blockedAmong, isBlocked, lastBlock, pageOfBlocks } from './repository.ts'

const BATCH = 2000

/** The block of a content that is in force; undefined: none. */
export async function currentBlock(db: Db, cid: string): Promise<{ category: BlockCategory } | undefined> {
  const row = await repository.findBlock(db, cid)
  return row?.blocked && row.category !== '' ? { category: row.category } : undefined
}

/** @throws AppError contentBlocked */
export async function requireNotBlocked(db: Db, cid: string): Promise<void> {
  if (await repository.isBlocked(db, cid)) throw new AppError('contentBlocked')
}

/**
 * Blocks a content, whether or not the network has it: nobody can upload it later, either. Rings all nodes when the transaction commits. A
 * content that is blocked gets the new category and reason.
 * @param cid version 1, base32
 */
export async function blockContent(
  tx: Db,
  block: { cid: string; category: BlockCategory; reason: string; by: string; at: Date },
): Promise<{ row: repository.BlockRow; before: repository.BlockRow | undefined }> {
  return add(tx, { ...block, blocked: true })
}

/** @throws AppError notFound if the content is not blocked */
export async function liftBlock(
  tx: Db,
  lift: { cid: string; reason: string; by: string; at: Date },
): Promise<{ row: repository.BlockRow; before: repository.BlockRow | undefined }> {
  return add(tx, { ...lift, category: '', blocked: false })
}

async function add(
  tx: Db,
  change: { cid: string; blocked: boolean; category: BlockCategory | ''; reason: string; by: string; at: Date },
) {
  const { cid, blocked, category, reason, by, at } = change
  await repository.lockBlocks(tx)
  const before = await repository.findBlock(tx, cid)
  if (!blocked && !before?.blocked) throw new AppError('notFound')
  const row = await repository.insertBlock(tx, { cid, blocked, category, reason, changed_by: by, changed_at: at })
  await notifyAllNodes(tx)
  return { row, before }
}

/**
 * Whether a node must hear the list. A node that knows more than the server hears all of it: it lies, or an older backup of the database was
 * restored. @param known undefined: the node does not know the list (earlier releases)
 */
export const mustHear = (known: number | undefined, last: number): boolean =>
  known !== undefined && last > 0 && known !== last

/** Blocks that a node does not know yet. @returns `more`: there may be more than these */
export async function newsFor(
  db: Db,
  known: number,
): Promise<{ list: { id: number; key: string; blocked: boolean }[]; more: boolean }> {
  const from = known > (await repository.lastBlock(db)) ? 0 : known
  const list = await repository.blocksAfter(db, from, BATCH)
  return { list, more: list.length === BATCH }
}
