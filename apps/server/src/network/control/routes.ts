import type { contract, Output, Parsed, ReportedUpload } from '@tidenet/contract'
import { serveModule } from '../../platform/http/operations.ts'
import type { ServerServing } from '../../platform/http/serving.ts'
import { recordAuditResults } from '../audits/service.ts'
import { takeProof } from '../blocks/parts.ts'
import { requestCertificate } from '../certificates/service.ts'
import type { Context } from '../context.ts'
import { createWorkSignal } from '../nodes/work-signal.ts'
import { relaysOf } from '../relays/service.ts'
import { createCallLimits } from './call-limits.ts'
import { createHeartbeat } from './heartbeat.ts'
import { compareInventory } from './inventory.ts'
import { probeNode } from './reachability.ts'
import { registerNode } from './register.ts'
import { reportReplicas } from './replica-reports.ts'

/** What nodes say about accounts, and ask; storage implements it. */
export interface NodeReports {
  acceptReceipts(context: Context, nodeId: string, receipts: readonly string[]): Promise<number>
  reportServed(context: Context, nodeId: string, input: Parsed<typeof contract.nodeControl.served>): Promise<boolean>
  reportUploads(context: Context, nodeId: string, uploads: readonly ReportedUpload[]): Promise<void>
  /** Payments implements it. */
  earningsOfNode(context: Context, nodeId: string): Promise<Output<typeof contract.nodeControl.earnings>>
}

export function serveNodeControl(
  serving: ServerServing,
  context: Context,
  { acceptReceipts, reportServed, reportUploads, earningsOfNode }: NodeReports,
): void {
  const work = createWorkSignal(context.config.databaseUrl, context.log)
  serving.app.addHook('onReady', () => work.start())
  serving.app.addHook('preClose', () => work.stop())
  const heartbeat = createHeartbeat(context, work)
  const count = createCallLimits()
  serveModule(serving, 'nodeControl', {
    register: async (input, { ip }) => {
      const answer = await registerNode(context, input, ip)
      // Not awaited: an unreachable node is registered too.
      probeNode(context, answer.node_id).catch(() => {})
      return answer
    },
    heartbeat: async (input, { caller, signal }) => {
      count(caller.nodeId, 'heartbeat')
      if (input.uploads && input.uploads.length > 0) await reportUploads(context, caller.nodeId, input.uploads)
      return heartbeat(caller.nodeId, input, signal)
    },
    replicas: async ({ results }, { caller }) => {
      count(caller.nodeId, 'replicas')
      return { known: await reportReplicas(context, caller.nodeId, results) }
    },
    receipts: async ({ receipts }, { caller }) => {
      count(caller.nodeId, 'receipts')
      return { accepted: await acceptReceipts(context, caller.nodeId, receipts), server_time: context.clock.now() }
    },
    served: async (input, { caller }) => {
      count(caller.nodeId, 'served')
      return { accepted: await reportServed(context, caller.nodeId, input) }
    },
    audits: async ({ results }, { caller }) => {
      count(caller.nodeId, 'audits')
      return { accepted: await recordAuditResults(context, caller.nodeId, results) }
    },
    inventory: async (input, { caller }) => {
      count(caller.nodeId, 'inventory')
      return { server_time: context.clock.now(), unwanted: await compareInventory(context, caller.nodeId, input) }
    },
    earnings: async (_, { caller }) => {
      count(caller.nodeId, 'earnings')
      return earningsOfNode(context, caller.nodeId)
    },
    contains: async (input, { caller }) => {
      count(caller.nodeId, 'contains')
      await takeProof(context, input)
      return {}
    },
    certificate: async (input, { caller }) => {
      count(caller.nodeId, 'certificate')
      return requestCertificate(context, caller.nodeId, input)
    },
    relays: async (input, { caller, ip }) => {
      count(caller.nodeId, 'relays')
      return relaysOf(context, caller.nodeId, input, ip)
    },
  })
}
