import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

/**
 * Who may read a content. An account has proved possession if an invited node received the bytes from it, or by a proof. A receipt of an
 * edge proves nothing: with it, the account reads from that edge only, unless no other account has the content.
 */

/** The node id contains the kind, and a node cannot choose it. */
export const isEdge = (nodeId: string): boolean => nodeId.startsWith('e_')

/** The value of `contents.sole` for an account; all visitors share one. */
export const soleOf = (account: string): string => (account.startsWith('temp:') ? 'temp' : account)

export interface Possession {
  /** The only nodes that the account may read from; null: any. */
  nodes: string[] | null
  size: number
  kind: 'file' | 'folder'
  traceId: string
}

/**
 * What the receipts of an account (and of visitors, if asked) say about a content. The content must be locked.
 * @returns undefined without a receipt
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
 * Another account has the content now: the account whose receipts only edges signed is limited to those edges, unless an invited node
 * fetched the bytes before. Then nobody else had them, so they came from that account.
 * @param account who has it now, possibly the same; undefined for an invited node
 */
export async function endSole(tx: Db, cid: string, account?: string): Promise<void> {
  const ended = await tx.maybe<{ sole: string; sole_nodes: string[] }>(sql`
    with before as (
      select cid, sole, sole_nodes from contents
      where cid = ${cid} and sole is not null and sole is distinct from ${account === undefined ? null : soleOf(account)}
      for update)
    update contents c set sole = null, sole_nodes = '{}' from before b where c.cid = b.cid returning b.sole, b.sole_nodes`)
  if (!ended || (await wasFetched(tx, cid))) return
  // Open proofs ask about the size that the edge reported.
  await tx.run(sql`delete from proofs where cid = ${cid}`)
  for (const table of [sql`assets`, sql`trashed_assets`])
    await tx.run(sql`update ${table} set only_from = ${ended.sole_nodes} where cid = ${cid} and only_from is null`)
  await tx.run(sql`
    update temp_files set only_from = ${ended.sole_nodes} where cid = ${cid} and stored and only_from is null`)
}

/** Whether an invited node fetched the content, even if it no longer holds it. */
const wasFetched = async (tx: Db, cid: string): Promise<boolean> =>
  (await tx.maybe(sql`
    select 1 from replicas r join nodes n on n.id = r.node_id
    where r.cid = ${cid} and n.kind <> 'edge' and r.pulled and r.state in ('stored', 'lost') limit 1`)) !== undefined

/** The account has proved possession, with the size it listed: it may read from any node. */
export const openFully = (tx: Db, { cid, size }: { cid: string; size: number }, userId: number) =>
  tx.run(sql`
    update assets set only_from = null where cid = ${cid} and user_id = ${userId} and only_from is not null and size = ${size}`)

/** Condition on a replica `r`: an account can read the content from this node only. */
export const keptForSomebody = sql`(exists (select 1 from assets k where k.cid = r.cid and r.node_id = any(k.only_from))
  or exists (select 1 from trashed_assets k where k.cid = r.cid and r.node_id = any(k.only_from))
  or exists (select 1 from temp_files k where k.cid = r.cid and k.stored and r.node_id = any(k.only_from)))`

/** Condition on a replica `r`: it is on one of the nodes that the account may read from. */
export const inReach = (onlyFrom: readonly string[] | null): Sql =>
  onlyFrom === null ? sql`true` : sql`r.node_id = any(${onlyFrom})`

/** Condition on a receipt `r` of a content `c`: it proves that the account sent the bytes. */
export const isPossession = sql`(r.invited or c.sole = case when r.account like 'temp:%' then 'temp' else r.account end)`
