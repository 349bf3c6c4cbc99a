import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { cidText, MAX_BLOCK_SIZE } from '@tidenet/content/cid'
import { catFile } from '@tidenet/content/graph'
import { verifyingGet } from '@tidenet/content/verify'
import { AppError } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import { decoyReceiptKey, readerAddress, readNode } from '../../network/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { newTraceId } from '../../platform/trace-ids.ts'
import { type Context, now } from '../context.ts'
import { findSourceNodes } from '../downloads/sources.ts'

/** How long a proof request can be answered, and how long the resulting proof is valid. */
const PROOF_LIFE_MS = 10 * 60 * 1000
const PIECE_BYTES = 64 * 1024
/**
 * Smaller files are uploaded instead, which is as fast. A piece must not be a whole block, because the CID contains the hash of a
 * block.
 */
export const PROOF_MIN_BYTES = 2 * PIECE_BYTES
/** Nodes that are tried, the timeout of each, and the most blocks read for a piece, inner blocks included. */
const NODES_MAX = 4
const NODE_TIMEOUT_MS = 10_000
const BLOCKS_MAX = 100

export interface ProofRequest {
  id: string
  offset: number
  length: number
}

/**
 * Requests the hash of a random piece of stored content. The hash of a whole file may be known to people who do not have the file; the
 * hash of a piece chosen now is not.
 */
export async function createProofRequest(
  context: Context,
  caller: Member,
  content: { cid: string; size: number },
): Promise<ProofRequest> {
  const length = PIECE_BYTES
  const offset = randomInt(content.size - length + 1)
  const id = randomBytes(18).toString('base64url')
  await context.db.run(sql`
    insert into proofs (id, user_id, cid, start_at, length, created_at)
    values (${id}, ${caller.userId}, ${content.cid}, ${offset}, ${length}, ${now(context)})`)
  return { id, offset, length }
}

/** Compares the answer with the stored bytes. Each request can be answered once, correctly or not. @throws AppError proofFailed */
export async function answerProof(
  context: Context,
  caller: Member,
  answer: { id: string; cid: string; sha256: string },
): Promise<{ cid: string; proof: string }> {
  const { text: cid } = readCid(answer.cid)
  const request = await context.db.maybe<{
    cid: string
    start_at: number
    length: number
    created_at: Date
  }>(sql`
    delete from proofs where id = ${answer.id} and user_id = ${caller.userId} returning cid, start_at, length, created_at`)
  if (!request || request.cid !== cid || context.clock.now() - request.created_at.getTime() > PROOF_LIFE_MS)
    throw new AppError('proofFailed')
  const bytes = await readPiece(context, caller, { cid, offset: request.start_at, length: request.length })
  const expected = createHash('sha256').update(bytes).digest()
  if (!timingSafeEqual(expected, Buffer.from(answer.sha256, 'hex'))) throw new AppError('proofFailed')
  const proof = await new SignJWT({ cid })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(caller.uid)
    .setAudience('proof')
    .setExpirationTime(Math.floor((context.clock.now() + PROOF_LIFE_MS) / 1000))
    .sign(context.keys.shareToken)
  return { cid, proof }
}

export async function readProof(
  { keys, clock }: Pick<Context, 'keys' | 'clock'>,
  proof: string,
  uid: string,
  cid: string,
): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(proof, keys.shareToken, {
      algorithms: ['HS256'],
      audience: 'proof',
      currentDate: new Date(clock.now()),
    })
    return payload.sub === uid && payload.cid === cid
  } catch {
    return false
  }
}

/** Reads the piece from a node that holds the content, verified from the root CID down, with few blocks in memory. */
async function readPiece(
  context: Context,
  caller: Member,
  { cid, offset, length }: { cid: string; offset: number; length: number },
): Promise<Uint8Array> {
  const { nodes } = await findSourceNodes(context, cid, [])
  for (const node of nodes.slice(0, NODES_MAX)) {
    const source = { cid, account: caller.uid, traceId: newTraceId(), name: cid, receiptKey: decoyReceiptKey() }
    const { url } = await readerAddress(context, node, source)
    let left = BLOCKS_MAX
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(new Error('the node took too long')), NODE_TIMEOUT_MS)
    const getBlock = verifyingGet((wanted) => {
      if (left-- === 0) throw new Error('the piece needs too many blocks')
      return readNode(
        context,
        `${url.replace(`/ipfs/${cid}?`, `/ipfs/${cidText(wanted)}?`)}&format=raw`,
        MAX_BLOCK_SIZE,
        limit.signal,
      )
    })
    try {
      const parts: Uint8Array[] = []
      for await (const part of catFile(readCid(cid).cid, getBlock, { start: offset, end: offset + length }))
        parts.push(part)
      const piece = Buffer.concat(parts)
      if (piece.length === length) return piece
    } catch (error) {
      context.log.debug({ err: error, node: node.id }, 'could not read the piece of a proof from a node')
    } finally {
      clearTimeout(timer)
    }
  }
  throw new AppError('proofFailed')
}

/** Deletes the open requests about a content. */
export const deleteProofRequests = (tx: Db, cid: string) => tx.run(sql`delete from proofs where cid = ${cid}`)

/** Requests that were never answered. */
export const expired = (at: Date): Sql[] => [
  sql`delete from proofs where id in (
    select id from proofs where created_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
