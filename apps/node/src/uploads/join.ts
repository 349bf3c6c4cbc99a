import { Readable } from 'node:stream'
import { type Cid, innerBlocks, leafDigests, parseCid, readFileLayout } from '@tidenet/content'
import { type JoinAnswer, type JoinClaims, PARTS_MAX } from '@tidenet/contract'
import { type Logger, partsDigest, requestLang, within } from '@tidenet/daemon'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { BlockedContents } from '../blocked-contents.ts'
import type { ContentStore } from '../contents/content-store.ts'
import { readAt } from '../contents/open-content.ts'
import { parseJson } from '../parse-json.ts'
import { readText } from '../read-text.ts'
import { Refusal, refuseBlocked, refuseBusy, refuseForeign } from '../refusal.ts'
import { bearerToken, disconnectSignal } from '../requests.ts'
import { texts } from '../texts.ts'
import type { Tokens } from '../tokens.ts'
import { keptAlive } from './kept-alive.ts'
import type { Pace } from './pace.ts'
import { inSlot, type Slots } from './slots.ts'
import { type StoredUpload, storedAnswer, type Uploads } from './store-upload.ts'
import { type UsedTokens, uploadName } from './used-tokens.ts'

const CID_MAX = 120
const BODY_MAX = PARTS_MAX * (CID_MAX + 3) + 100
const PIECE = 1 << 20
/** Ms after which the answer begins, and between two blanks that keep its connection alive. */
const ALIVE_EVERY = 10_000
/** How often a join begins with one token: a sender whose connection broke repeats it. */
const BEGINS_MAX = 3

const asked = z.object({ parts: z.array(z.string().max(CID_MAX)).min(1).max(PARTS_MAX) })

/**
 * `POST /join`: stores the file that consists of contents which are here, one after the other, so that their bytes need not travel again. The
 * token names them. The answer contains the digests of all leaves: with the CIDs of the parts, they prove what the file is.
 */
export function serveJoins(
  app: FastifyInstance,
  parts: {
    store: ContentStore
    tokens: Tokens
    blocked: BlockedContents
    uploads: Uploads
    used: UsedTokens
    slots: Slots
    now: () => number
    log: Logger
  },
): void {
  const { store, tokens, blocked, uploads, used, slots, now, log } = parts

  /** Joining costs the caller nothing: one token does it once at a time, and once altogether; it may break off a few times before. */
  const running = new Set<string>()
  /** How often a join began with a token, in the order of their expiry. */
  const begun = new Map<string, { times: number; exp: number }>()
  const begin = ({ jti, exp }: JoinClaims) => {
    for (const [oldest, token] of begun) {
      if (token.exp * 1000 > now()) break
      begun.delete(oldest)
    }
    const times = (begun.get(jti)?.times ?? 0) + 1
    if (times > BEGINS_MAX) throw refuseForeign('The token was used too often.')
    begun.set(jti, { times, exp })
  }
  const joinOnce = async (
    claims: JoinClaims,
    cids: readonly string[],
    signal: AbortSignal,
  ): Promise<StoredUpload & { leaves: Uint8Array }> => {
    if (running.has(claims.jti)) throw refuseBusy()
    running.add(claims.jti)
    try {
      return await inSlot(slots, signal, async (pace) => {
        const stored = await join(claims, cids, pace)
        return { ...stored, leaves: await leavesOf(store, stored.cid) }
      })
    } finally {
      running.delete(claims.jti)
    }
  }
  const join = async (claims: JoinClaims, cids: readonly string[], pace: Pace): Promise<StoredUpload> => {
    const before = used.get(uploadName(claims.jti))
    if (before) {
      // It was removed since: the token is not for storing it again.
      if (!store.get(before.cid)) throw refuseForeign('The token was used.')
      return before
    }
    begin(claims)
    const bytes = Readable.from(bytesOf(store, blocked, cids), { objectMode: false })
    try {
      return await uploads.receive({ ...claims, typ: 'upload' }, { bytes }, pace)
    } finally {
      // Releases the part that is being read.
      bytes.destroy()
    }
  }

  app.post('/join', async (request, reply): Promise<JoinAnswer | FastifyReply> => {
    const claims = await tokens.join(bearerToken(request))
    const body = asked.safeParse(parseJson(await readText(request.raw, BODY_MAX)))
    if (!body.success) throw new Refusal(400, texts.badRequest)
    const cids = body.data.parts
    if (claims.parts !== partsDigest(cids)) throw refuseForeign('The token is not for these parts.')
    const answer = joinOnce(claims, cids, disconnectSignal(request.raw, reply.raw)).then(({ leaves, ...stored }) => ({
      ...storedAnswer(stored),
      leaves: Buffer.from(leaves).toString('base64'),
    }))
    const early = await within(answer, ALIVE_EVERY)
    if (early) return early
    const text = keptAlive(answer, { everyMs: ALIVE_EVERY, lang: requestLang(request), log })
    return reply.type('application/json').send(Readable.from(text))
  })
}

/** The digests of the leaves of a stored file. @throws Refusal 404 */
async function leavesOf(store: ContentStore, cid: string): Promise<Uint8Array> {
  const content = await store.open(cid)
  if (!content) throw new Refusal(404, texts.notHere)
  try {
    const root = parseCid(cid)
    const inner = await content.inner()
    const body = inner?.file.createReadStream({ start: 0, autoClose: false })
    const blocks = body ? await innerBlocks(root, body) : new Map<string, Uint8Array>()
    const get = async (each: Cid) => blocks.get(each.toString()) ?? new Uint8Array()
    return leafDigests(await readFileLayout(root, content.held.size, get))
  } finally {
    content.release()
  }
}

/** @throws Refusal 404, 451 */
async function* bytesOf(
  store: ContentStore,
  blocked: BlockedContents,
  cids: readonly string[],
): AsyncGenerator<Buffer> {
  for (const cid of cids) {
    if (blocked.has(parseCid(cid))) throw refuseBlocked()
    const content = await store.open(cid)
    if (content?.held.kind !== 'file') {
      content?.release()
      throw new Refusal(404, texts.notHere)
    }
    try {
      const { size } = content.held
      for (let at = 0; at < size; at += PIECE) {
        const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at))
        await readAt(content.main, piece, at)
        yield piece
      }
    } finally {
      content.release()
    }
  }
}
