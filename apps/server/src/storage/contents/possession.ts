import type { AssetType } from '@tidenet/contract'
import { placement } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, prepared, sql } from '../../platform/db/sql.ts'

/**
 * Decides who may read a content. An account has proved possession if an invited node received the bytes from it, or by a proof. A
 * receipt signed by an edge proves nothing: the account may read from that edge only, unless no other account has the content.
 */

/** A node cannot choose its id, which begins with its kind. */
export const isEdge = (nodeId: string): boolean => nodeId.startsWith('e_')

/** The value of `contents.sole_holder` for an account; all visitors share one. */
export const soleHolderOf = (account: string): string => (account.startsWith('temp:') ? 'temp' : account)

/**
 * How the accounts of visitors who upload for a link begin. What they send belongs to the owner of the link: unlike other visitors' receipts,
 * theirs count for their upload only.
 */
export const LINK_VISITOR = 'temp:link:'

export interface Possession {
  /** The only nodes that the account may read from; null: any. */
  nodes: string[] | null
  size: number
  kind: AssetType
  traceId: string
  /** The node that signed the best of these receipts. */
  node: string
}

/**
 * Finds what the receipts of an account say about a content, and those of all visitors, or of one anonymous upload, if asked. The content
 * must be locked.
 * @param by.receiptId only this receipt counts
 * @returns undefined without a receipt
 */
export async function possessionOf(
  tx: Db,
  cid: string,
  {
    account,
    visitors = false,
    traceId = '',
    receiptId,
  }: { account: string; visitors?: boolean; traceId?: string; receiptId?: string | undefined },
): Promise<Possession | undefined> {
  const content = (await placement.findContents(tx, [cid])).get(cid)
  if (!content) return undefined
  const rows = await tx.rows<{
    node_id: string
    trace_id: string
    account: string
    size: number
    kind: AssetType
    invited: boolean
    sole: boolean
  }>(sql`
    select r.node_id, r.trace_id, r.account, r.size, r.kind, r.invited,
      coalesce(${content.sole_holder} = case when r.account like 'temp:%' then 'temp' else r.account end, false) as sole
    from receipts r
    where r.cid = ${cid} and not r.spent ${receiptId === undefined ? none : sql`and r.id = ${receiptId}`} and (r.account = ${account} or (r.account like 'temp:%' and ((${visitors} and not starts_with(r.account, ${LINK_VISITOR})) or r.trace_id = ${traceId})))
    order by r.invited desc, sole desc, r.received_at desc limit 100`)
  const [best] = rows
  if (!best) return undefined
  const nodes = best.invited || best.sole ? null : [...new Set(rows.map((row) => row.node_id))]
  return { nodes, size: best.size, kind: best.kind, traceId: best.trace_id, node: best.node_id }
}

/** The newest receipts of an account for these contents that invited nodes signed; each proves that the account sent the bytes. */
export const findInvitedPossessions = async (
  tx: Db,
  account: string,
  cids: readonly string[],
): Promise<Map<string, { node_id: string; trace_id: string }>> =>
  new Map(
    (
      await tx.rows<{ cid: string; node_id: string; trace_id: string }>(prepared`
        select distinct on (cid) cid, node_id, trace_id from receipts
        where cid = any(${cids}) and account = ${account} and invited and not spent order by cid, received_at desc`)
    ).map(({ cid, ...row }) => [cid, row]),
  )

/** Condition on a receipt `r` of a content `c`: it proves that the account sent the bytes. */
export const isPossession = sql`(r.invited or c.sole_holder = case when r.account like 'temp:%' then 'temp' else r.account end)`
