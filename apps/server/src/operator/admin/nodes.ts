import { type AdminNode, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { placement } from '../../network/index.ts'
import { literally, nameAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { now } from '../context.ts'
import { change, type Needs, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']
type NodeRow = Omit<AdminNode, 'replicas' | 'seen_at' | 'registered_at' | 'out_since'> & {
  seen_at: Date | null
  registered_at: Date
  out_since: Date | null
}

const columns: Sql = sql`n.id as node_id, n.name, n.kind, n.area_id, n.url, n.ip, n.version, n.status, n.reachable, n.seen_at,
  n.created_at as registered_at, n.capacity, n.used, n.quality, n.out_since, n.note`

async function asNodes(db: Db, rows: readonly NodeRow[]): Promise<AdminNode[]> {
  const copies = await placement.countByNode(
    db,
    rows.map(({ node_id }) => node_id),
  )
  return rows.map(({ seen_at, registered_at, out_since, ...row }) => ({
    ...row,
    replicas: copies.get(row.node_id) ?? 0,
    seen_at: seen_at?.toISOString() ?? null,
    registered_at: registered_at.toISOString(),
    out_since: out_since?.toISOString() ?? null,
  }))
}

export async function listNodes(
  { db }: Pick<Needs, 'db'>,
  { q, status, kind, out, after, size }: Parsed<Admin['nodes']>,
): Promise<Output<Admin['nodes']>> {
  const from = nameAfter(after)
  const word = `%${literally(q ?? '')}%`
  const rows = await db.rows<NodeRow>(sql`
    with page as (
      select * from nodes n where true
        ${q ? sql`and (n.name ilike ${word} or n.id ilike ${word} or n.area_id ilike ${word} or n.url ilike ${word} or n.ip ilike ${word})` : none}
        ${status === undefined ? none : sql`and n.status = ${status}`}
        ${kind === undefined ? none : sql`and n.kind = ${kind}`}
        ${out === undefined ? none : out ? sql`and n.out_since is not null` : sql`and n.out_since is null`}
        ${from === undefined ? none : sql`and (n.name, n.id) > (${from.name}, ${from.id})`}
      order by n.name, n.id limit ${size + 1}
    )
    select ${columns} from page n order by n.name, n.id`)
  const { list, next } = pageOf(rows, size, (last) => [last.name, last.node_id])
  return { list: await asNodes(db, list), next }
}

/** The node with what it was before. @throws AppError notFound */
async function updateNode(tx: Db, id: string, set: Sql): Promise<{ node: AdminNode; was: NodeRow }> {
  const was = await tx.maybe<NodeRow>(sql`select ${columns} from nodes n where n.id = ${id} for no key update`)
  if (!was) throw new AppError('notFound')
  await tx.run(sql`update nodes set ${set} where id = ${id}`)
  const [node] = await asNodes(tx, [await tx.one<NodeRow>(sql`select ${columns} from nodes n where n.id = ${id}`)])
  if (!node) throw new AppError('notFound')
  return { node, was }
}

/** @throws AppError notFound */
export const takeOut = (context: Needs, operator: Operator, { node_id, reason }: Parsed<Admin['nodeOut']>) =>
  change(context, operator, { action: 'node.out', subject: `node:${node_id}`, detail: { reason } }, async (tx) => {
    const at = now(context)
    const { node } = await updateNode(tx, node_id, sql`out_since = coalesce(out_since, ${at})`)
    await placement.checkHeldBy(tx, node_id, at)
    return { result: node }
  })

/** @throws AppError notFound */
export const putBack = (context: Needs, operator: Operator, { node_id, reason }: Parsed<Admin['nodeBack']>) =>
  change(context, operator, { action: 'node.back', subject: `node:${node_id}`, detail: { reason } }, async (tx) => {
    const at = now(context)
    // It arrives anew: what could not be placed without it is looked at again.
    const { node, was } = await updateNode(tx, node_id, sql`out_since = null, arrived_at = ${at}`)
    await placement.checkHeldBy(tx, node_id, at)
    return { result: node, detail: { out_since: was.out_since } }
  })

/** @throws AppError notFound */
export const noteNode = (context: Needs, operator: Operator, { node_id, note }: Parsed<Admin['nodeNote']>) =>
  change(context, operator, { action: 'node.note', subject: `node:${node_id}` }, async (tx) => {
    const { node, was } = await updateNode(tx, node_id, sql`note = ${note}`)
    return { result: node, detail: { before: was.note, after: note } }
  })
