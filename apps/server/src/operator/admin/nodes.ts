import { type AdminNode, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import * as network from '../../network/index.ts'
import { nameAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { now } from '../context.ts'
import { change, type Deps, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']
type Copies = Awaited<ReturnType<typeof network.placement.countByNode>>

const asNode = (
  { seen_at, registered_at, out_since, draining_since, ...row }: network.NodeDetails,
  copies: Copies,
): AdminNode => ({
  ...row,
  replicas: copies.get(row.node_id) ?? 0,
  seen_at: seen_at?.toISOString() ?? null,
  registered_at: registered_at.toISOString(),
  out_since: out_since?.toISOString() ?? null,
  draining_since: draining_since?.toISOString() ?? null,
})

export async function listNodes(
  { db }: Pick<Deps, 'db'>,
  { after, size, ...filter }: Parsed<Admin['nodes']>,
): Promise<Output<Admin['nodes']>> {
  const rows = await network.pageOfNodes(db, filter, nameAfter(after), size + 1)
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
): Promise<{ node: AdminNode; was: network.NodeDetails }> {
  const was = await network.lockNodeForNoKeyUpdate(tx, id)
  if (!was) throw new AppError('notFound')
  await update()
  const row = await network.findNode(tx, id)
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

/** @throws AppError notFound */
export const assignNodeArea = (
  context: Deps & Parameters<typeof network.updateArea>[0],
  operator: Operator,
  { node_id, area_id, reason }: Parsed<Admin['nodeRegion']>,
) =>
  change(context, operator, { action: 'node.region', subject: `node:${node_id}`, detail: { reason } }, async (tx) => {
    const at = now(context)
    const { node, was } = await updateNode(tx, node_id, async () => {
      await network.assignArea(tx, node_id, area_id)
      if (await network.updateArea(context, tx, node_id, at)) await network.placement.checkReplicasOf(tx, node_id, at)
    })
    return { result: node, detail: { before: was.area_id, after: node.area_id, assigned: area_id } }
  })
