import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * Who may read a content. Its bytes came from an account if an invited node took them from it, or if the account proved it. An edge may
 * say so of what it never saw: then the account reads from that edge alone, unless nobody else has the content.
 */

/** The kind of a node stands in its id; nobody can choose it. */
export const isEdge = (nodeId: string): boolean => nodeId.startsWith('e_')

/** How an account is named as the only one that has a content; visitors are one. */
export const soleOf = (account: string): string => (account.startsWith('temp:') ? 'temp' : account)

export interface Possession {
  /** The only nodes that the account may read from; null: any. */
  nodes: string[] | null
  size: number
  kind: 'file' | 'folder'
  traceId: string
}

/**
 * What the receipts of an account, or of visitors and the account, say about a content that is locked.
 * @returns nothing when there is no receipt
 */
export async function possessionOf(
  tx: Db,
  cid: string,
  { account, visitors = false }: { account: string; visitors?: boolean },
): Promise<Possession | undefined> {
  const rows = await tx.rows<{
    node_id: string
    trace_id: string
    account: string
    size: number
    kind: 'file' | 'folder'
    invited: boolean
    sole: boolean
  }>(sql`
    select r.node_id, r.trace_id, r.account, r.size, r.kind, r.invited,
      coalesce(c.sole = case when r.account like 'temp:%' then 'temp' else r.account end, false) as sole
    from receipts r join contents c on c.cid = r.cid
    where r.cid = ${cid} and not r.spent and (r.account = ${account} or (${visitors} and r.account like 'temp:%'))
    order by r.invited desc, sole desc, r.received_at desc limit 100`)
  const [best] = rows
  if (!best) return undefined
  const nodes = best.invited || best.sole ? null : [...new Set(rows.map((row) => row.node_id))]
  return { nodes, size: best.size, kind: best.kind, traceId: best.trace_id }
}

/**
 * Others than the one account for which only edges have signed have the content now: that account reads from those edges alone, unless
 * an invited node has fetched the bytes from somewhere before. Nobody else had them then, so the account did.
 * @param account one that may be the same as before; nobody for an invited node
 */
export async function endSole(tx: Db, cid: string, account?: string): Promise<void> {
  const ended = await tx.maybe<{ sole: string; sole_nodes: string[] }>(sql`
    with before as (
      select cid, sole, sole_nodes from contents
      where cid = ${cid} and sole is not null and sole is distinct from ${account === undefined ? null : soleOf(account)}
      for update)
    update contents c set sole = null, sole_nodes = '{}' from before b where c.cid = b.cid returning b.sole, b.sole_nodes`)
  if (!ended || (await wasFetched(tx, cid))) return
  // What was asked about the content was asked in the size that the edge gave.
  await tx.run(sql`delete from proofs where cid = ${cid}`)
  for (const table of [sql`assets`, sql`trashed_assets`])
    await tx.run(sql`update ${table} set only_from = ${ended.sole_nodes} where cid = ${cid} and only_from is null`)
  await tx.run(sql`
    update temp_files set only_from = ${ended.sole_nodes} where cid = ${cid} and stored and only_from is null`)
}

/** Whether an invited node has fetched the content and holds it, or did. */
const wasFetched = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and n.kind <> 'edge' and r.pulled and r.state in ('stored', 'lost') limit 1`)) !== undefined

/** An account that listed a content of which only edges spoke has shown it after all, in the size it gave. */
export const openFully = (tx: Db, { cid, size }: { cid: string; size: number }, userId: number) =>
  tx.run(sql`
    update assets set only_from = null where cid = ${cid} and user_id = ${userId} and only_from is not null and size = ${size}`)

/** Of a replica `r`: somebody reads the content from this node alone. */
export const keptForSomebody = sql`(exists (select 1 from assets k where k.cid = r.cid and r.node_id = any(k.only_from))
  or exists (select 1 from trashed_assets k where k.cid = r.cid and r.node_id = any(k.only_from))
  or exists (select 1 from temp_files k where k.cid = r.cid and k.stored and r.node_id = any(k.only_from)))`

/** Of a replica `r`: an account that may read the content from these nodes alone, or from any, is told of it. */
export const inReach = (onlyFrom: readonly string[] | null): Sql =>
  onlyFrom === null ? sql`true` : sql`r.node_id = any(${onlyFrom})`

/** Of a receipt `r` of a content `c`: nobody doubts that its account sent the bytes. */
export const isPossession = sql`(r.invited or c.sole = case when r.account like 'temp:%' then 'temp' else r.account end)`

/** Of these contents those that the node alone keeps for somebody: they are not deleted from it, whatever others do with theirs. */
export const keptFor = async (db: Db, nodeId: string, cids: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ cid: string }>(sql`
      select cid from assets where cid = any(${cids}) and ${nodeId} = any(only_from)
      union select cid from trashed_assets where cid = any(${cids}) and ${nodeId} = any(only_from)
      union select cid from temp_files where cid = any(${cids}) and stored and ${nodeId} = any(only_from)
      union select cid from receipts where cid = any(${cids}) and node_id = ${nodeId} and not spent and not invited`)
  ).map((row) => row.cid)
