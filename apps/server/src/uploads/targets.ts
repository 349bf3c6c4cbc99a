import { randomUUID } from 'node:crypto'
import { AppError, type CandidateSlot, type NodeUpload } from '@tidenet/contract'
import type { Context } from '../context.ts'
import { signUploadToken } from '../nodes/node-tokens.ts'
import { chooseUploadNodes } from '../scheduler/choose.ts'
import { nodeTable } from '../scheduler/node-table.ts'

/** How many nodes a client is offered: enough to go on when some fail. */
const OFFERED = 5

type Needs = Pick<Context, 'db' | 'clock' | 'keys'>

export interface Upload {
  /** A uid, or `temp:<id>`. */
  account: string
  areas: readonly string[]
  traceId: string
  kind: 'file' | 'folder'
  /** The most bytes the nodes will take, and the number when it is known. */
  max: number
  size?: number | undefined
  cid?: string
}

/** Nodes that can take an upload, best first. @throws AppError noArea, noNode */
export async function uploadNodes(context: Needs, upload: Pick<Upload, 'areas' | 'size' | 'max'>) {
  const nodes = await nodeTable(context)
  const chosen = chooseUploadNodes(nodes, {
    areas: upload.areas,
    size: upload.size ?? 0,
    count: OFFERED,
    random: Math.random,
  })
  if (chosen.length > 0) return chosen
  const inArea = nodes.some((node) => node.status === 'online' && upload.areas.includes(node.country))
  throw new AppError(upload.areas.length > 0 && !inArea ? 'noArea' : 'noNode')
}

const tokenFor = (context: Needs, nodeId: string, upload: Upload): Promise<string> =>
  signUploadToken(context, {
    aud: nodeId,
    sub: upload.account,
    kind: upload.kind === 'folder' ? 'car' : 'file',
    ...(upload.cid !== undefined && { cid: upload.cid }),
    max: upload.size ?? upload.max,
    ...(upload.size !== undefined && { size: upload.size }),
    tid: upload.traceId,
    jti: randomUUID(),
  })

/** Where the bytes of a file can be sent. */
export async function uploadTargets(context: Needs, upload: Upload): Promise<{ list: NodeUpload[]; area: string }> {
  const nodes = await uploadNodes(context, upload)
  const list = await Promise.all(
    nodes.map(async (node) => ({
      NodeID: node.id,
      UploadURL: `${node.url}/uploadv2`,
      ResumeURL: `${node.url}/tus`,
      Token: await tokenFor(context, node.id, upload),
    })),
  )
  return { list, area: nodes[0]?.country ?? '' }
}

/** Where content that create_asset announced can be sent: the archive of a folder, or the bytes of a file. */
export async function candidateSlots(context: Needs, upload: Upload & { cid: string }): Promise<CandidateSlot[]> {
  const nodes = await uploadNodes(context, upload)
  return Promise.all(
    nodes.map(async (node) => ({
      CandidateAddr: `${node.url}/${upload.kind === 'folder' ? 'upload' : 'uploadv2'}`,
      ResumeURL: `${node.url}/tus`,
      NodeID: node.id,
      Token: await tokenFor(context, node.id, upload),
      TraceID: upload.traceId,
    })),
  )
}
