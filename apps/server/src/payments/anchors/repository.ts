import type { SignedTransaction } from '@tidenet/chain-client'
import { ago, DAY } from '../../platform/ago.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/** The log and the chain that an anchor is about. */
export interface Anchoring {
  log: string
  chainId: string
}

export const insertAnchor = (
  tx: Db,
  { log, chainId }: Anchoring,
  { size, root }: { size: number; root: Buffer },
  { hash, bytes, lastHeight, account }: SignedTransaction,
  at: Date,
): Promise<number> =>
  tx.run(sql`
    insert into log_anchors (hash, log, size, root, state, bytes, last_height, chain_id, account, created_at)
    values (${hash}, ${log}, ${size}, ${root}, 'sent', ${Buffer.from(bytes)}, ${lastHeight}, ${chainId}, ${account}, ${at})
    on conflict do nothing`)

export interface SentAnchor {
  hash: string
  bytes: Buffer
  last_height: number
  chain_id: string
  created_at: Date
}

/** The transaction whose result is not known yet; at most one. */
export const findSent = (db: Db, log: string) =>
  db.maybe<SentAnchor>(sql`
    select hash, bytes, last_height, chain_id, created_at from log_anchors where log = ${log} and state = 'sent'`)

/** The newest anchor that is sent or in a block. */
export const findNewest = (db: Db, log: string) =>
  db.maybe<{ size: number; created_at: Date }>(sql`
    select size, created_at from log_anchors where log = ${log} and state <> 'void' order by size desc limit 1`)

/** The newest anchor that is in a block. */
export const findNewestDone = (db: Db, log: string) =>
  db.maybe<{ size: number; created_at: Date }>(sql`
    select size, created_at from log_anchors where log = ${log} and state = 'done' order by size desc limit 1`)

export const endAnchor = (tx: Db, hash: string, end: { state: 'done'; height: number } | { state: 'void' }, at: Date) =>
  tx.run(sql`
    update log_anchors set state = ${end.state}, height = ${'height' in end ? end.height : null}, ended_at = ${at}
    where hash = ${hash} and state = 'sent'`)

export interface AnchorRow {
  size: number
  root: Buffer
  chain_id: string
  height: number
  account: number
  hash: string
  bytes: Buffer
}

/** The first anchor of a log with this leaf. */
export const findFirstWith = (db: Db, log: string, index: number) =>
  db.maybe<AnchorRow>(sql`
    select size, root, chain_id, height, account, hash, bytes from log_anchors
    where log = ${log} and state = 'done' and height is not null and size > ${index} order by size limit 1`)

/** Anchors in blocks stay: receipts need them. */
export const expired = (at: Date): Sql[] => [
  sql`delete from log_anchors where state = 'void' and ended_at < ${ago(at, 2 * DAY)}`,
]
