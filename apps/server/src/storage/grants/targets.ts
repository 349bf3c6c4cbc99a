import { createHmac } from 'node:crypto'
import { AppError, type CandidateSlot, type NodeUpload } from '@tidenet/contract'
import { lastEnded, type NodeRow, nodeTable, placement, signUploadToken } from '../../network/index.ts'
import type { Context } from '../context.ts'
import { recordOffered } from '../traces/service.ts'
import { grantUpload, type UploadGrant } from './grants.ts'

/** Nodes offered for one upload, so that a client can go on when some fail. */
const OFFERED = 5

type Deps = Pick<Context, 'db' | 'clock' | 'keys'>

export interface Upload extends UploadGrant {
  areas: readonly string[]
  /** From `requireOpenAccount`; absent for an upload without an account, which cannot end. */
  ended?: number
}

/**
 * Nodes for an upload, best first.
 * @param chance the chance of a node; by default chosen anew for each upload
 * @throws AppError noArea, noNode
 */
export async function uploadNodes(
  context: Pick<Context, 'db'>,
  upload: Pick<Upload, 'areas' | 'size'>,
  chance: (node: string) => number = Math.random,
): Promise<NodeRow[]> {
  const nodes = await nodeTable(context)
  const chosen = placement.chooseUploadNodes(nodes, {
    areas: upload.areas,
    size: upload.size ?? 0,
    count: OFFERED,
    random: ({ id }) => chance(id),
  })
  if (chosen.length > 0) return chosen
  const inArea = nodes.some((node) => node.status === 'online' && upload.areas.includes(node.country))
  throw new AppError(upload.areas.length > 0 && !inArea ? 'noArea' : 'noNode')
}

/**
 * The chance of a node that is the same for all uploads of an account with the same word: they go to the same nodes, as long as these suit.
 * Nobody can compute it, and so choose a node by a word.
 */
export const gatherAt =
  ({ keys }: Pick<Context, 'keys'>, account: string, word: string) =>
  (node: string): number =>
    createHmac('sha256', keys.pepper)
      .update(JSON.stringify(['gather', account, word, node]))
      .digest()
      .readUInt32BE() /
    2 ** 32

/** Signs the tokens of a granted upload. @param tokens their `jti`, in the order of the nodes */
async function signTokens(context: Deps, upload: Upload, nodes: readonly NodeRow[], tokens: readonly string[]) {
  const ended = upload.ended ?? (await lastEnded(context.db))
  return Promise.all(
    nodes.map((node, index) =>
      signUploadToken(context, {
        aud: node.id,
        sub: upload.account,
        kind: upload.kind === 'folder' ? 'car' : 'file',
        ...(upload.cid !== undefined && { cid: upload.cid }),
        max: upload.size ?? upload.max,
        ...(upload.size !== undefined && { size: upload.size }),
        tid: upload.traceId,
        jti: tokens[index] as string,
        ended,
      }),
    ),
  )
}

/** Upload addresses for the bytes of a file. */
export async function uploadTargets(
  context: Deps,
  upload: Upload,
  nodes: readonly NodeRow[],
  tokens: readonly string[],
): Promise<{ list: NodeUpload[]; area: string }> {
  const signed = await signTokens(context, upload, nodes, tokens)
  const list = nodes.map((node, index) => ({
    NodeID: node.id,
    UploadURL: `${node.url}/uploadv2`,
    ResumeURL: `${node.url}/tus`,
    Token: signed[index] as string,
  }))
  return { list, area: nodes[0]?.country ?? '' }
}

/** Grants the upload of content announced by create_asset, a folder's archive or a file, and returns its addresses. */
export async function candidateSlots(
  context: Deps,
  upload: Upload & { cid: string },
  { open = true }: { open?: boolean } = {},
): Promise<CandidateSlot[]> {
  const nodes = await uploadNodes(context, upload)
  await recordOffered(
    context.db,
    upload.traceId,
    nodes.map(({ id }) => id),
  )
  const tokens = await grantUpload(context, context.db, { ...upload, open }, nodes)
  return slotsOf(context, upload, nodes, tokens)
}

/** Upload addresses for content that is already granted. */
export async function slotsOf(
  context: Deps,
  upload: Upload,
  nodes: readonly NodeRow[],
  tokens: readonly string[],
): Promise<CandidateSlot[]> {
  const signed = await signTokens(context, upload, nodes, tokens)
  return nodes.map((node, index) => ({
    CandidateAddr: `${node.url}/${upload.kind === 'folder' ? 'upload' : 'uploadv2'}`,
    ResumeURL: `${node.url}/tus`,
    NodeID: node.id,
    Token: signed[index] as string,
    TraceID: upload.traceId,
  }))
}
