import { type AdminNode, AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import * as network from '../../network/index.ts'
import { nameAfter, pageOf } from '../../platform/db/cursors.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { change, type Operator } from './change.ts'

type Admin = (typeof contract)['admin']
type Deps = Pick<Context, 'db' | 'clock' | 'config'>
type Copies = Awaited<ReturnType<typeof network.placement.countByNode>>

type Certificates = Awaited<ReturnType<typeof network.certificatesOf>>

const asNode = (
  { seen_at, registered_at, out_since, draining_since, leaving_since, leaving_remaining, ...row }: network.NodeDetails,
  copies: Copies,
  certificates: Certificates,
): AdminNode => ({
  ...row,
  replicas: copies.get(row.node_id) ?? 0,
  seen_at: seen_at?.toISOString() ?? null,
  registered_at: registered_at.toISOString(),
  out_since: out_since?.toISOString() ?? null,
  draining_since: draining_since?.toISOString() ?? null,
  leaving: leaving_since && { since: leaving_since.toISOString(), remaining: leaving_remaining },
  certificate: certificates.get(row.node_id) ?? null,
})

export async function listNodes(
  context: Deps,
  { after, size, ...filter }: Parsed<Admin['nodes']>,
): Promise<Output<Admin['nodes']>> {
  const { db } = context
  const rows = await network.pageOfNodes(db, filter, nameAfter(after), size + 1)
  const { list, next } = pageOf(rows, size, (last) => [last.name, last.node_id])
  const ids = list.map(({ node_id }) => node_id)
  const copies = await network.placement.countByNode(db, ids)
  const certificates = await network.certificatesOf(context, db, ids)
  return { list: list.map((row) => asNode(row, copies, certificates)), next }
}

/** Runs the update. @returns the node after and before @throws AppError notFound */
async function updateNode(
  context: Pick<Deps, 'clock' | 'config'>,
  tx: Db,
  id: string,
  update: () => Promise<unknown>,
): Promise<{ node: AdminNode; was: network.NodeDetails }> {
  const was = await network.lockNodeForNoKeyUpdate(tx, id)
  if (!was) throw new AppError('notFound')
  await update()
  const row = await network.findNode(tx, id)
  const certificates = await network.certificatesOf(context, tx, [id])
  return { node: asNode(row, await network.placement.countByNode(tx, [id]), certificates), was }
}

/** @throws AppError notFound */
export const takeOutOfService = (context: Deps, operator: Operator, { node_id, reason }: Parsed<Admin['nodeOut']>) =>
  change(context, operator, { action: 'node.out', subject: `node:${node_id}`, detail: { reason } }, async (tx) => {
    const at = now(context)
    const { node } = await updateNode(context, tx, node_id, () => network.takeOutOfService(tx, node_id, at))
    await network.placement.checkReplicasOf(tx, node_id, at)
    return { result: node }
  })

/** @throws AppError notFound */
export const returnToService = (context: Deps, operator: Operator, { node_id, reason }: Parsed<Admin['nodeBack']>) =>
  change(context, operator, { action: 'node.back', subject: `node:${node_id}`, detail: { reason } }, async (tx) => {
    const at = now(context)
    const { node, was } = await updateNode(context, tx, node_id, () => network.returnToService(tx, node_id, at))
    await network.placement.checkReplicasOf(tx, node_id, at)
    return { result: node, detail: { out_since: was.out_since } }
  })

/** @throws AppError notFound */
export const setNodeNote = (context: Deps, operator: Operator, { node_id, note }: Parsed<Admin['nodeNote']>) =>
  change(context, operator, { action: 'node.note', subject: `node:${node_id}` }, async (tx) => {
    const { node, was } = await updateNode(context, tx, node_id, () => network.setNodeNote(tx, node_id, note))
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
    const { node, was } = await updateNode(context, tx, node_id, async () => {
      await network.assignArea(tx, node_id, area_id)
      if (await network.updateArea(context, tx, node_id, at)) await network.placement.checkReplicasOf(tx, node_id, at)
    })
    return { result: node, detail: { before: was.area_id, after: node.area_id, assigned: area_id } }
  })
