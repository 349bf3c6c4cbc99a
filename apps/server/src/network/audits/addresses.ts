import { VIA_BYTES_MAX } from '@tidenet/contract'
import type { Db } from '../../platform/db/db.ts'
import { type Context, now } from '../context.ts'
import { lastEnded } from '../nodes/ended-shares.ts'
import { decoyReceiptKey, readerAddress, signViaToken } from '../nodes/node-tokens.ts'
import type { Content } from '../placement/placement.ts'

/** The addresses that an auditor reads from: those of an account that could download the content. Nobody is billed. */
export interface AuditAddresses {
  url: string
  token: string
  /** Of a folder: the address for looking through it. */
  listUrl?: string
  /** The node that passes the requests on, and the token for it. */
  via?: { url: string; token: string }
}

export interface Audited {
  cid: string
  node_id: string
  url: string
  kind: Content['kind']
  via_id: string | null
  via_url: string | null
}

/** @returns the addresses for each audit, in their order */
export async function auditAddresses(
  context: Pick<Context, 'clock' | 'keys' | 'demand'>,
  db: Db,
  audits: readonly Audited[],
): Promise<AuditAddresses[]> {
  const readers = await context.demand.readersOf(
    db,
    audits.map(({ cid }) => cid),
  )
  const readOf = ({ cid, node_id: nodeId }: Audited) => {
    const reader = readers.get(cid) ?? { account: `temp:${cid}`, name: cid }
    return { ...reader, cid, nodeId, preview: false, receiptKey: decoyReceiptKey() }
  }
  const reads = audits.map((audit) => ({ audit, read: readOf(audit) }))
  // Clients sign no previews.
  const lists = reads
    .filter(({ audit }) => audit.kind === 'folder')
    .map(({ audit, read }) => ({ audit, read: { ...read, preview: true, receiptKey: undefined } }))
  const all = [...reads, ...lists]
  const traces = await context.demand.openReads(
    db,
    all.map(({ read }) => read),
    now(context),
  )
  const ended = await lastEnded(db)
  const addresses = await Promise.all(
    all.map(({ audit, read }, index) =>
      readerAddress(context, { id: audit.node_id, url: audit.url }, { ...read, ended, traceId: traces[index] ?? '' }),
    ),
  )
  const listUrls = new Map(lists.map(({ audit }, index) => [audit, addresses[reads.length + index]?.url]))
  return Promise.all(
    reads.map(async ({ audit }, index) => {
      const listUrl = listUrls.get(audit)
      const via = await viaOf(context, audit)
      return { ...(addresses[index] as AuditAddresses), ...(listUrl !== undefined && { listUrl }), ...(via && { via }) }
    }),
  )
}

async function viaOf(
  context: Pick<Context, 'clock' | 'keys'>,
  { via_id: aud, via_url: url, node_id: node, url: origin, cid }: Audited,
): Promise<AuditAddresses['via']> {
  if (aud === null || url === null) return undefined
  return { url, token: await signViaToken(context, { aud, node, origin, cid, most: VIA_BYTES_MAX }) }
}
