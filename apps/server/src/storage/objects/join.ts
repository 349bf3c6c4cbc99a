import { AppError, type contract, JOIN_MAX, type Output, type Parsed } from '@tidenet/contract'
import { partsDigest } from '@tidenet/daemon'
import { freeStorageOf, lockAccountForUpdate } from '../../identity/index.ts'
import { blockedAmong, type NodeRow, nodeTable, placement, readReceipt, signJoinToken } from '../../network/index.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Member } from '../../platform/http/callers.ts'
import { countJoined } from '../contents/receipts.ts'
import { type Context, now } from '../context.ts'
import { requireOpenAccount } from '../grants/ended-accounts.ts'
import { grantItems } from '../grants/grants.ts'
import { openTrace } from '../traces/service.ts'
import { requireUpload } from './uploads.ts'
import { findParts } from './uploads-repository.ts'

/**
 * How often a node is asked to join what it received with one receipt: a client may complete an upload again when an answer was lost. Counted
 * for receipts, because many parts of many uploads can have the same one.
 */
const JOINS_MAX = 5

type Operation = (typeof contract)['s3Uploads']['join']
/** What a receipt says; undefined: a part without bytes has none. */
type Receipt = ReturnType<typeof readReceipt>

/**
 * Lets a node store the object that consists of parts: only the node that received all of them from the account, by its own receipts, so
 * that nobody joins a content that somebody else has. It counts as no traffic.
 * @throws AppError folderUnknown, notFound, contentBlocked, quotaExceeded, tooManyUploads, accountClosing
 */
export async function joinParts(
  context: Context,
  caller: Member,
  input: Parsed<Operation>,
): Promise<Output<Operation>> {
  const { db } = context
  const upload = await requireUpload(db, caller, input)
  const rows = new Map((await findParts(db, upload.id, input.parts)).map((row) => [row.number, row]))
  const parts = input.parts.map((number) => {
    const row = rows.get(number)
    if (!row) throw new AppError('notFound')
    return row
  })
  const cids = parts.map(({ cid }) => cid)
  if ((await blockedAmong(db, cids)).size > 0) throw new AppError('contentBlocked')
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const receipts = parts.map(({ receipt }) => readReceipt(receipt))
  const node = size <= JOIN_MAX ? await receiverOf(context, receipts, size) : undefined
  if (!node || !(await mayBeJoined(db, receipts))) return { TraceID: '', node: null }
  const { userId, uid: account } = caller
  const { traceId, jti, ended } = await db.transaction(async (tx) => {
    const row = await lockAccountForUpdate(tx, userId)
    const ended = await requireOpenAccount(tx, row)
    const opening = { userId, account, kind: 'upload' as const, cid: '', name: upload.key, at: now(context) }
    const traceId = await openTrace(tx, { ...opening, offered: [node.id] })
    const file = { item: 0, size, upTo: false, nodes: [node] }
    const [granted] = await grantItems(context, tx, { userId, account, traceId, free: freeStorageOf(row) }, [file])
    if (!granted || granted instanceof AppError) throw granted ?? new AppError('quotaExceeded', { free: 0 })
    return { traceId, jti: granted[0] as string, ended }
  })
  const Token = await signJoinToken(context, {
    aud: node.id,
    sub: account,
    kind: 'file',
    max: size,
    size,
    tid: traceId,
    parts: partsDigest(cids),
    jti,
    ended,
  })
  return { TraceID: traceId, node: { NodeID: node.id, JoinURL: `${node.url}/join`, Token } }
}

/** Whether each part has a receipt of its own that was joined a few times only. */
async function mayBeJoined(db: Db, receipts: readonly Receipt[]): Promise<boolean> {
  const ids = new Set(receipts.map((receipt) => receipt?.jti ?? ''))
  return ids.size === receipts.length && ((await countJoined(db, [...ids])) ?? Number.POSITIVE_INFINITY) <= JOINS_MAX
}

/** The node that received all parts, if it can take another content of this size now. */
async function receiverOf(
  context: Pick<Context, 'db'>,
  receipts: readonly Receipt[],
  size: number,
): Promise<NodeRow | undefined> {
  const receivers = new Set(receipts.map((receipt) => receipt?.iss))
  const [only] = receivers
  if (receivers.size !== 1 || only === undefined) return undefined
  const nodes = (await nodeTable(context)).filter(({ id }) => id === only)
  return placement.chooseUploadNodes(nodes, { areas: [], size, count: 1, random: Math.random })[0]
}
