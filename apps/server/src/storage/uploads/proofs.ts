import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { cidText, MAX_BLOCK_SIZE } from '@tidenet/content/cid'
import { catFile } from '@tidenet/content/graph'
import { verifyingGet } from '@tidenet/content/verify'
import { AppError, transferTimeout } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import { decoyReceiptKey, lastEnded, readerAddress, readNode } from '../../network/index.ts'
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
/** Nodes that are tried. */
const NODES_MAX = 4
/** For one node. A piece is in at most two leaves; inner blocks are small. */
const NODE_TIMEOUT_MS = transferTimeout(2 * MAX_BLOCK_SIZE)
/** The next node is asked too when one has not answered after this time. */
const NEXT_AFTER_MS = 5000
/** Blocks read for a piece, inner ones included. */
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

type Piece = Pick<ProofRequest, 'offset' | 'length'> & { cid: string }

/** Reads the piece from nodes that hold the content. Nodes may be slow, so the next one is asked before a slow one has failed. */
async function readPiece(context: Context, caller: Member, piece: Piece): Promise<Uint8Array> {
  const nodes = (await findSourceNodes(context, piece.cid, [])).nodes.slice(0, NODES_MAX)
  const done = new AbortController()
  const asked: Promise<Uint8Array>[] = []
  try {
    for (const node of nodes) {
      asked.push(readFrom(context, caller, node, piece, done.signal))
      const first = Promise.any(asked).catch(() => undefined)
      const last = asked.at(-1)?.then(nothing, nothing)
      const found = await Promise.race([first, last, setTimeout(NEXT_AFTER_MS, undefined, { ref: false })])
      if (found) return found
    }
    return await Promise.any(asked)
  } catch {
    throw new AppError('proofFailed')
  } finally {
    done.abort()
  }
}

/** Reads the piece from one node, verified from the root CID down, with few blocks in memory. */
async function readFrom(
  context: Context,
  caller: Member,
  node: Awaited<ReturnType<typeof findSourceNodes>>['nodes'][number],
  { cid, offset, length }: Piece,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const source = { cid, account: caller.uid, traceId: newTraceId(), name: cid, receiptKey: decoyReceiptKey() }
  const { url } = await readerAddress(context, node, { ...source, ended: await lastEnded(context.db) })
  let left = BLOCKS_MAX
  const limit = AbortSignal.any([signal, AbortSignal.timeout(NODE_TIMEOUT_MS)])
  const getBlock = verifyingGet((wanted) => {
    if (left-- === 0) throw new Error('the piece needs too many blocks')
    return readNode(
      context,
      `${url.replace(`/ipfs/${cid}?`, `/ipfs/${cidText(wanted)}?`)}&format=raw`,
      MAX_BLOCK_SIZE,
      limit,
    )
  })
  try {
    const parts: Uint8Array[] = []
    for await (const part of catFile(readCid(cid).cid, getBlock, { start: offset, end: offset + length }))
      parts.push(part)
    const piece = Buffer.concat(parts)
    if (piece.length !== length) throw new Error('the content is shorter than its record')
    return piece
  } catch (error) {
    context.log.debug({ err: error, node: node.id }, 'could not read the piece of a proof from a node')
    throw error
  }
}

const nothing = () => undefined

/** Deletes the open requests about a content. */
export const deleteProofRequests = (tx: Db, cid: string) => tx.run(sql`delete from proofs where cid = ${cid}`)

/** Requests that were never answered. */
export const expired = (at: Date): Sql[] => [
  sql`delete from proofs where id in (
    select id from proofs where created_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]

export const erased = (userId: number): Sql[] => [sql`delete from proofs where user_id = ${userId}`]
