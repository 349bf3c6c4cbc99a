import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { readCar } from '@tidenet/content/car'
import { leavesOfRange, readFileLayout, verifyLeaf } from '@tidenet/content/leaves'
import { AppError } from '@tidenet/contract'
import { jwtVerify, SignJWT } from 'jose'
import { readCid } from '../assets/cids.ts'
import { type Context, now } from '../context.ts'
import { sql } from '../db/sql.ts'
import { heldBy } from '../downloads/sources.ts'
import { signDownloadToken } from '../nodes/node-tokens.ts'
import type { Member } from '../sessions/callers.ts'

/** A question can be answered for ten minutes, its answer used for ten more. */
const LIFE = 10 * 60 * 1000
const PIECE = 64 * 1024
/**
 * Smaller content is sent rather than proved, which is as quick. The digest of a whole block stands in its CID, so a piece
 * must never be one.
 */
export const PROVEN_FROM = 2 * PIECE

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
    size: number
    start_at: number
    length: number
    created_at: Date
  }>(sql`
    delete from proofs p using contents c where p.id = ${answer.id} and p.user_id = ${caller.userId} and c.cid = p.cid
    returning p.cid, c.size, p.start_at, p.length, p.created_at`)
  if (!asked || asked.cid !== cid || context.clock.now() - asked.created_at.getTime() > LIFE)
    throw new AppError('proofFailed')
  const bytes = await pieceOf(context, asked, asked.start_at, asked.length)
  const expected = createHash('sha256').update(bytes).digest()
  if (!timingSafeEqual(expected, Buffer.from(answer.sha256, 'hex'))) throw new AppError('proofFailed')
  const proof = await new SignJWT({ cid })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(caller.uid)
    .setAudience('proof')
    .setExpirationTime(Math.floor((context.clock.now() + LIFE) / 1000))
    .sign(context.keys.ticket)
  return { cid, proof }
}

export async function readProof(
  { keys, clock }: Pick<Context, 'keys' | 'clock'>,
  proof: string,
  uid: string,
  cid: string,
): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(proof, keys.ticket, {
      algorithms: ['HS256'],
      audience: 'proof',
      currentDate: new Date(clock.now()),
    })
    return payload.sub === uid && payload.cid === cid
  } catch {
    return false
  }
}

/** Bytes fetched from a node that holds the content and verified from the root down. */
async function pieceOf(
  context: Context,
  { cid, size }: { cid: string; size: number },
  offset: number,
  length: number,
): Promise<Uint8Array> {
  for (const node of await heldBy(context, cid, [])) {
    const token = await signDownloadToken(context, { typ: 'audit', aud: node.id, sub: 'proof', cid, tid: '' })
    const fetchFrom = (query: string, headers: Record<string, string> = {}) =>
      fetch(`${node.url}/ipfs/${cid}?token=${token}${query}`, {
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(5000),
      })
    try {
      const inner = new Map<string, Uint8Array>()
      const archive = await fetchFrom('&format=inner')
      if (!archive.ok || !archive.body) continue
      for await (const block of readCar(archive.body).blocks) inner.set(block.cid.toString(), block.bytes)
      const layout = await readFileLayout(readCid(cid).cid, size, async (wanted) => {
        const bytes = inner.get(wanted.toString())
        if (!bytes) throw new Error('the node left out an inner block')
        return bytes
      })
      const { first, count, start } = leavesOfRange(layout, offset, offset + length)
      const leaves: Uint8Array[] = []
      for (let index = first; index < first + count; index++) {
        const leaf = layout.leafAt(index)
        const answer = await fetchFrom('', { range: `bytes=${leaf.offset}-${leaf.offset + leaf.size - 1}` })
        const bytes = new Uint8Array(await answer.arrayBuffer())
        if (!answer.ok || !(await verifyLeaf(layout, index, bytes))) throw new Error('the node sent other bytes')
        leaves.push(bytes)
      }
      return Buffer.concat(leaves).subarray(offset - start, offset - start + length)
    } catch (error) {
      context.log.debug({ err: error, node: node.id }, 'a node could not help to check a proof')
    }
  }
  throw new AppError('proofFailed')
}
