import { type AdminNode, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import * as network from '../../network/index.ts'
import { escapeLike, nameAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { none, type Sql, sql } from '../../platform/db/sql.ts'
import { now } from '../context.ts'
import { change, type Deps, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']
type NodeRow = Omit<AdminNode, 'replicas' | 'seen_at' | 'registered_at' | 'out_since'> & {
  seen_at: Date | null
  registered_at: Date
  out_since: Date | null
}

const columns: Sql = sql`n.id as node_id, n.name, n.kind, n.area_id, n.url, n.ip, n.version, n.status, n.reachable, n.seen_at,
  n.created_at as registered_at, n.capacity, n.used, n.quality, n.out_since, n.note`

type Copies = Awaited<ReturnType<typeof network.placement.countByNode>>

const asNode = ({ seen_at, registered_at, out_since, ...row }: NodeRow, copies: Copies): AdminNode => ({
  ...row,
  replicas: copies.get(row.node_id) ?? 0,
  seen_at: seen_at?.toISOString() ?? null,
  registered_at: registered_at.toISOString(),
  out_since: out_since?.toISOString() ?? null,
})

export async function listNodes(
  { db }: Pick<Deps, 'db'>,
  { q, status, kind, out, after, size }: Parsed<Admin['nodes']>,
): Promise<Output<Admin['nodes']>> {
  const from = nameAfter(after)
  const word = `%${escapeLike(q ?? '')}%`
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
  const ids = list.map(({ node_id }) => node_id)
  const copies = await network.placement.countByNode(db, ids)
  return { list: list.map((row) => asNode(row, copies)), next }
}

/** Runs the update. @returns the node after and before @throws AppError notFound */
async function updateNode(
  tx: Db,
  id: string,
  update: () => Promise<unknown>,
): Promise<{ node: AdminNode; was: NodeRow }> {
  const was = await tx.maybe<NodeRow>(sql`select ${columns} from nodes n where n.id = ${id} for no key update`)
  if (!was) throw new AppError('notFound')
  await update()
  const row = await tx.one<NodeRow>(sql`select ${columns} from nodes n where n.id = ${id}`)
  return { node: asNode(row, await network.placement.countByNode(tx, [id])), was }
}

/** @throws AppError notFound */
export const takeOutOfService = (context: Deps, operator: Operator, { node_id, reason }: Parsed<Admin['nodeOut']>) =>
  change(context, operator, { action: 'node.out', subject: `node:${node_id}`, detail: { reason } }, async (tx) => {
    const at = now(context)
    const { node } = await updateNode(tx, node_id, () => network.takeOutOfService(tx, node_id, at))
    await network.placement.checkReplicasOf(tx, node_id, at)
    return { result: node }
  })

/** @throws AppError notFound */
export const returnToService = (context: Deps, operator: Operator, { node_id, reason }: Parsed<Admin['nodeBack']>) =>
  change(context, operator, { action: 'node.back', subject: `node:${node_id}`, detail: { reason } }, async (tx) => {
    const at = now(context)
    const { node, was } = await updateNode(tx, node_id, () => network.returnToService(tx, node_id, at))
    await network.placement.checkReplicasOf(tx, node_id, at)
    return { result: node, detail: { out_since: was.out_since } }
  })

/** @throws AppError notFound */
export const setNodeNote = (context: Deps, operator: Operator, { node_id, note }: Parsed<Admin['nodeNote']>) =>
  change(context, operator, { action: 'node.note', subject: `node:${node_id}` }, async (tx) => {
    const { node, was } = await updateNode(tx, node_id, () => network.setNodeNote(tx, node_id, note))
    return { result: node, detail: { before: was.note, after: note } }
  })
