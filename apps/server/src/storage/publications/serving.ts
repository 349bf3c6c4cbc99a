import { cidOfDigest, cidText, DAG_PB, RAW } from '@tidenet/content/cid'
import { AppError, type contract, type Output, type Parsed } from '@tidenet/contract'
import { accountsOf } from '../../identity/index.ts'
import { blockedAmong, lastEnded, requireNotBlocked } from '../../network/index.ts'
import { type Context, now } from '../context.ts'
import { openVisit } from '../downloads/visits.ts'
import * as folders from './folders-repository.ts'
import * as repository from './repository.ts'

type Publications = (typeof contract)['publications']

/** Several accounts may publish the same block: if the traffic of one is used up, the gateway takes the next. */
const FOUND_MAX = 5
/** More are looked at if the first ones cannot be served: locked accounts must not hide what others publish. */
const LOOKED_AT = 200

/**
 * The publications through which everybody may read a block. This is the only question that decides it: whether an account has the block
 * privately has no part in it.
 */
export async function findPublications(
  context: Pick<Context, 'db' | 'clock'>,
  { digest: hex, part_of: partOf }: Parsed<Publications['find']>,
): Promise<Output<Publications['find']>> {
  const { db } = context
  const digest = Buffer.from(hex, 'hex')
  const named = [RAW, DAG_PB].map((codec) => cidText(cidOfDigest(codec as typeof RAW, digest)))
  if ((await blockedAmong(db, named)).size > 0) return { list: [] }
  const list: repository.Found[] = []
  for (let offset = 0, most = FOUND_MAX; list.length < FOUND_MAX; offset += most, most = LOOKED_AT) {
    const rows = await repository.findServing(db, { digest, roots: named, partOf }, now(context), {
      limit: most,
      offset,
    })
    if (rows.length > 0) list.push(...(await served(db, rows)))
    if (rows.length < most) break
  }
  return {
    list: list.slice(0, FOUND_MAX).map(({ id, cid, kind, name, size, blocks, inner_node, composed }) => ({
      id,
      root: cid,
      kind,
      name,
      size,
      blocks,
      inner: inner_node,
      composed,
    })),
  }
}

/** Those of accounts that may publish, and whose contents are not blocked. */
async function served(db: Context['db'], rows: readonly repository.Found[]): Promise<repository.Found[]> {
  const [blocked, accounts] = await Promise.all([
    blockedAmong(
      db,
      rows.flatMap(({ cid, folder_cid }) => [cid, ...(folder_cid === null ? [] : [folder_cid])]),
    ),
    accountsOf(
      db,
      rows.map(({ user_id }) => user_id),
    ),
  ])
  return rows.filter(({ cid, folder_cid, user_id }) => {
    const account = accounts.get(user_id)
    const isBlocked = blocked.has(cid) || (folder_cid !== null && blocked.has(folder_cid))
    return !isBlocked && account !== undefined && !account.locked && !account.closing
  })
}

/** A node of a folder of single files. @throws AppError notFound, contentBlocked */
export async function readPublishedNode(
  { db }: Pick<Context, 'db'>,
  { id, digest: hex }: Parsed<Publications['node']>,
): Promise<Output<Publications['node']>> {
  const digest = Buffer.from(hex, 'hex')
  const node = await folders.findNode(db, id, digest)
  const owner = node && (await accountsOf(db, [node.user_id])).get(node.user_id)
  if (!node || !owner || owner.locked || owner.closing) throw new AppError('notFound')
  for (const cid of new Set([node.cid, cidText(cidOfDigest(DAG_PB, digest))])) await requireNotBlocked(db, cid)
  return { bytes: node.bytes.toString('base64') }
}

/** Nodes of a publication, for a visitor. What it reads counts as download traffic of the publisher. @throws AppError as the contract declares */
export async function openPublication(
  context: Context,
  { id, ip, receipt_key: receiptKey }: Parsed<Publications['open']>,
): Promise<Output<Publications['open']>> {
  const ended = await lastEnded(context.db)
  const served = await repository.findServed(context.db, id, now(context))
  const owner = served && (await accountsOf(context.db, [served.user_id])).get(served.user_id)
  if (!served || !owner || owner.locked || owner.closing) throw new AppError('notFound')
  // A blocked folder takes its files along, unless they are published by themselves.
  if (served.folder_cid !== null) await requireNotBlocked(context.db, served.folder_cid)
  const sources = await openVisit(context, {
    owner: { userId: owner.id, uid: owner.uid },
    asset: { ...served, encrypted: false, restricted_to: null },
    ip,
    receiptKey,
    ended,
  })
  return { sources }
}
