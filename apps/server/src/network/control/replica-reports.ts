import type { contract, Parsed } from '@tidenet/contract'
import { openAudits } from '../audits/open.ts'
import { auditWaiting } from '../audits/service.ts'
import { type Context, now } from '../context.ts'
import { recordComplaints } from '../nodes/nodes.ts'
import * as placement from '../placement/placement.ts'
import { recordTransfers } from '../traffic/record.ts'

type Result = Parsed<typeof contract.nodeControl.replicas>['results'][number]

/** Records results of pulls and removals. @returns how many of them the node has a replica of */
export async function reportReplicas(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  nodeId: string,
  results: readonly Result[],
): Promise<number> {
  const at = now(context)
  const byCid = new Map(results.map((result) => [result.cid, result]))
  if (byCid.size === 0) return 0
  const { known, pulled, unverified } = await context.db.transaction(async (tx) => {
    const rows = await placement.lockReplicas(tx, nodeId, [...byCid.keys()])
    const changes: placement.ReplicaChange[] = []
    const reported: { cid: string; nodeId: string }[] = []
    const pulled: { cid: string; nodeId: string; size: number }[] = []
    for (const row of rows) {
      const result = byCid.get(row.cid)
      if (!result) continue
      const change = placement.afterReport(row, result, at)
      if (change) changes.push(change)
      // Without a source the node already had the content, so nothing was transferred.
      if ((change?.state === 'stored' || change?.state === 'unverified') && result.source !== '')
        pulled.push({ cid: row.cid, nodeId: result.source, size: row.size })
      if (row.state === 'pulling')
        for (const source of result.bad_sources) reported.push({ cid: row.cid, nodeId: source.node_id })
    }
    await placement.changeReplicas(tx, nodeId, changes, at)
    await placement.notifyWaitingNodes(
      tx,
      changes.filter((change) => change.state === 'stored').map((change) => change.cid),
      at,
    )
    if (pulled.length > 0) {
      const held = new Set((await placement.heldPairs(tx, pulled)).map(({ cid, nodeId: from }) => `${cid} ${from}`))
      const transferred = pulled.filter(({ cid, nodeId: from }) => held.has(`${cid} ${from}`))
      await recordTransfers(
        tx,
        transferred.map(({ nodeId: from, size }) => ({ kind: 'replica' as const, size, from, to: nodeId })),
        at,
      )
    }
    if (reported.length > 0) {
      const held = await placement.heldPairs(tx, reported)
      const heard = new Set(await recordComplaints(tx, nodeId, [...new Set(held.map((copy) => copy.nodeId))], at))
      // A complaint beyond the limit causes no audit either: otherwise a few nodes could keep all validators busy.
      // Passing them says nothing about a node: its owner may have other nodes that complain about copies that it has.
      await openAudits(
        context,
        tx,
        held.filter((copy) => heard.has(copy.nodeId)),
        { requested: true },
      )
    }
    return { known: rows.length, pulled, unverified: changes.some((change) => change.state === 'unverified') }
  })
  // The node can pull again, so earlier failures need not wait.
  if (pulled.length > 0) await placement.clearRetries(context.db, nodeId, at)
  if (unverified) await auditWaiting(context, [nodeId])
  return known
}
