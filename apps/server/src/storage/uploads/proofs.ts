import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { cidText, MAX_BLOCK_SIZE } from '@tidenet/content/cid'
import { catFile } from '@tidenet/content/graph'
import { verifyingGet } from '@tidenet/content/verify'
import { AppError } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import { readerAddress, readNode } from '../../network/index.ts'
import { ago, DAY } from '../../platform/ago.ts'
import { readCid } from '../../platform/cids.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import { EXPIRED_BATCH } from '../../platform/tasks/expired.ts'
import { newTraceId } from '../../platform/trace-ids.ts'
import { type Context, now } from '../context.ts'
import { heldBy } from '../downloads/sources.ts'

/** A question can be answered for ten minutes, its answer used for ten more. */
const LIFE = 10 * 60 * 1000
const PIECE = 64 * 1024
/**
 * Smaller content is sent rather than proved, which is as quick. The digest of a whole block stands in its CID, so a piece
 * must never be one.
 */
export const PROVEN_FROM = 2 * PIECE
/** How many nodes are asked, how long each, and how many blocks a piece may lie in with those that lead to it. */
const NODES = 4
const NODE_MS = 10_000
const BLOCKS = 100

export interface ProofRequest {
  id: string
  offset: number
  length: number
}

/**
 * Asks for a random piece of content that others have stored. A digest of the whole file is known to people who do not
 * have the file; a digest of a piece chosen now is not.
 */
export async function askForProof(
  context: Context,
  caller: Member,
  content: { cid: string; size: number },
): Promise<ProofRequest> {
  const length = PIECE
  const offset = randomInt(content.size - length + 1)
  const id = randomBytes(18).toString('base64url')
  await context.db.run(sql`
    insert into proofs (id, user_id, cid, start_at, length, created_at)
    values (${id}, ${caller.userId}, ${content.cid}, ${offset}, ${length}, ${now(context)})`)
  return { id, offset, length }
}

/** Compares the answer with the bytes themselves. A question is asked once: right or wrong, it is gone. */
export async function answerProof(
  context: Context,
  caller: Member,
  answer: { id: string; cid: string; sha256: string },
): Promise<{ cid: string; proof: string }> {
  const { text: cid } = readCid(answer.cid)
  const asked = await context.db.maybe<{
    cid: string
    start_at: number
    length: number
    created_at: Date
  }>(sql`
    delete from proofs where id = ${answer.id} and user_id = ${caller.userId} returning cid, start_at, length, created_at`)
  if (!asked || asked.cid !== cid || context.clock.now() - asked.created_at.getTime() > LIFE)
    throw new AppError('proofFailed')
  const bytes = await pieceOf(context, caller, { cid, offset: asked.start_at, length: asked.length })
  const expected = createHash('sha256').update(bytes).digest()
  if (!timingSafeEqual(expected, Buffer.from(answer.sha256, 'hex'))) throw new AppError('proofFailed')
  const proof = await new SignJWT({ cid })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(caller.uid)
    .setAudience('proof')
    .setExpirationTime(Math.floor((context.clock.now() + LIFE) / 1000))
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

/** Bytes from a node that holds the content, verified from the root down; never more than a few blocks in memory. */
async function pieceOf(
  context: Context,
  caller: Member,
  { cid, offset, length }: { cid: string; offset: number; length: number },
): Promise<Uint8Array> {
  const nodes = await heldBy(context, cid, [])
  for (const node of nodes.slice(0, NODES)) {
    const reading = { cid, account: caller.uid, traceId: newTraceId(), name: cid }
    const { url } = await readerAddress(context, node, reading)
    let left = BLOCKS
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(new Error('it took too long')), NODE_MS)
    const getBlock = verifyingGet((wanted) => {
      if (left-- === 0) throw new Error('the piece lies in too many blocks')
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
      context.log.debug({ err: error, node: node.id }, 'a node could not help to check a proof')
    } finally {
      clearTimeout(timer)
    }
  }
  throw new AppError('proofFailed')
}

/** Proofs that nobody gave. */
export const expired = (at: Date): Sql[] => [
  sql`delete from proofs where id in (
    select id from proofs where created_at < ${ago(at, DAY)} limit ${EXPIRED_BATCH} for update skip locked)`,
]
