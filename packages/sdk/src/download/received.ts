import { RECEIVED_STEP } from '@tidenet/contract/constants'
import { receivedText } from '@tidenet/contract/node/received'
import type { Core } from '../core.ts'
import type { ReceiptKey } from '../platform/platform.ts'
import type { SourceNode } from './node-pool.ts'

/**
 * Signs for each node what was received from it and verified, so that the traffic can count as signed. Runs beside the download: it never
 * delays it, and failures have no effect on it.
 */
export interface Receipts {
  /** Verified bytes arrived. */
  add(node: SourceNode, bytes: number): void
  /** The node failed and may not be used again: signs what is not signed yet. */
  leave(node: SourceNode): void
  /** Signs the rest. Resolves when the nodes that respond have it, at the latest after a second. */
  end(): Promise<void>
}

/** How long one statement may take, and how long the end of a download waits for the last ones. */
const SEND_TIMEOUT_MS = 3000
const END_TIMEOUT_MS = 1000

interface NodeReceipts {
  node: SourceNode
  /** Verified bytes; of these, those of the last statement, and of the last one that the node took. */
  received: number
  stated: number
  signed: number
  sending: Promise<void> | undefined
  /** The node does not take signatures. */
  refuses: boolean
}

/** @param transfer of the download; without an id, nothing is signed, because the server does not trace it */
export function createReceipts(
  { platform, log }: Pick<Core, 'platform' | 'log'>,
  key: ReceiptKey | undefined,
  transfer: { trace_id: string; asset_cid: string },
): Receipts {
  const nodes = new Map<string, NodeReceipts>()
  const isActive = key !== undefined && transfer.trace_id !== ''

  const send = async (one: NodeReceipts, bytes: number) => {
    const url = new URL(one.node.url)
    const text = receivedText(transfer.trace_id, one.node.id, transfer.asset_cid, bytes)
    const body = { token: url.searchParams.get('token'), bytes, signature: await key?.sign(text) }
    const signal = AbortSignal.timeout(SEND_TIMEOUT_MS)
    const status = await platform.post(new URL('/received', url).href, JSON.stringify(body), signal)
    if (status === 204) one.signed = bytes
    else one.refuses = true
  }
  /** Sends one statement at a time; it is cumulative, so later bytes wait for the next. */
  const sign = (one: NodeReceipts) => {
    if (one.sending || one.refuses || one.received <= one.signed) return
    one.stated = one.received
    one.sending = send(one, one.received)
      .catch((error: unknown) => log('a node did not take a signature', { node: one.node.id, error: String(error) }))
      .finally(() => {
        one.sending = undefined
      })
  }

  return {
    add(node, bytes) {
      if (!isActive) return
      const one = nodes.get(node.id) ?? { node, received: 0, stated: 0, signed: 0, sending: undefined, refuses: false }
      nodes.set(node.id, one)
      one.received += bytes
      // Also after a failure: a node that does not respond is asked rarely.
      if (one.received - one.stated >= RECEIVED_STEP) sign(one)
    },
    leave(node) {
      const one = nodes.get(node.id)
      if (one) sign(one)
    },
    async end() {
      const last = [...nodes.values()].map(async (one) => {
        await one.sending
        sign(one)
        // A node that stalled gets its signature if it comes back; nobody waits for it.
        if (one.node.state === 'alive') await one.sending
      })
      let timer: ReturnType<typeof setTimeout> | undefined
      await Promise.race([
        Promise.all(last),
        new Promise((resolve) => {
          timer = setTimeout(resolve, END_TIMEOUT_MS)
        }),
      ])
      clearTimeout(timer)
    },
  }
}
