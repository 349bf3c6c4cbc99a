import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseCid, RAW } from '@tidenet/content'
import { carFrame, carHeader } from '@tidenet/content/car'
import type { DownloadClaims } from '@tidenet/contract'
import { COPIES_BYTES, COPIES_MAX, COPY_SMALL } from '@tidenet/daemon'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { BlockedContents } from '../blocked-contents.ts'
import type { ContentStore } from '../contents/content-store.ts'
import { readAt } from '../contents/open-content.ts'
import { parseJson } from '../parse-json.ts'
import { readText } from '../read-text.ts'
import { Refusal, refuseBusy, refuseForeign } from '../refusal.ts'
import type { Served } from '../served.ts'
import { texts } from '../texts.ts'
import { TOKEN_MAX, type Tokens } from '../tokens.ts'
import { CAR_TYPE } from './body.ts'
import type { Outgoing } from './outgoing.ts'
import { outgoing, sendPieces } from './sending.ts'

/** Concurrent answers: to all nodes, and to one node, which pulls three at a time and in whose name audits come. */
const SENDING_MAX = 8
const SENDING_TO_NODE = 5
/** How long another node may receive nothing of an answer; and how long all of it may take: nodes wait no longer than this for 4 MiB. */
const SILENCE_MS = 30_000
const SENDING_MS = 320_000

/** Most bytes of a request. */
export const BODY_MAX = COPIES_MAX * (TOKEN_MAX + 3) + 100

/** Requests at a time whose bodies arrive. */
const ARRIVING_MAX = 64

const asked = z.object({ tokens: z.array(z.string().max(TOKEN_MAX)).min(1).max(COPIES_MAX) })

/**
 * `POST /copies`: many small files for another node, in one archive: with a request for each, the requests cost more than the bytes. What is
 * not here, or must not be served, is left out; the other node asks for it alone and learns why.
 */
export function serveCopies(
  app: FastifyInstance,
  parts: {
    store: ContentStore
    tokens: Tokens
    blocked: BlockedContents
    served: Served
    wrapOutgoing: (out: Outgoing) => Outgoing
  },
): void {
  const { store, tokens, blocked, served, wrapOutgoing } = parts

  let sending = 0
  const sendingTo = new Map<string, number>()

  /** The frame of one content; undefined if it cannot be one of many. */
  const frameOf = async ({ cid }: DownloadClaims): Promise<Uint8Array | undefined> => {
    const root = parseCid(cid)
    if (root.code !== RAW || blocked.has(root)) return undefined
    const name = root.toV1().toString()
    const fresh = store.readFresh(name, COPY_SMALL)
    if (fresh) return carFrame({ cid: root, bytes: fresh })
    const content = await store.open(name)
    if (!content) return undefined
    try {
      const { kind, blocks, size } = content.held
      if (kind !== 'file' || blocks !== 1 || size > COPY_SMALL) return undefined
      const bytes = Buffer.allocUnsafe(size)
      await readAt(content.main, bytes, 0)
      return carFrame({ cid: root, bytes })
    } finally {
      content.release()
    }
  }

  /** @throws Refusal 401, 403 */
  const verify = async (list: readonly string[]): Promise<DownloadClaims[]> => {
    const all: DownloadClaims[] = []
    for (const token of new Set(list)) {
      const claims = await tokens.download(token)
      // Downloads of accounts are requests of their own, which end with their share.
      const isCopy = claims.typ === 'pull' && claims.sub === (all[0] ?? claims).sub
      if (!isCopy) throw refuseForeign('The token is not for copies, or not for the node that the other tokens name.')
      all.push(claims)
    }
    return all
  }

  /** What the tokens name, as far as it is here. */
  const find = async (named: readonly DownloadClaims[]): Promise<{ claims: DownloadClaims; frame: Uint8Array }[]> => {
    const found: { claims: DownloadClaims; frame: Uint8Array }[] = []
    let bytes = 0
    for (const claims of named) {
      const frame = await frameOf(claims)
      if (!frame || bytes + frame.length > COPIES_BYTES) continue
      bytes += frame.length
      found.push({ claims, frame })
    }
    return found
  }

  let arriving = 0
  /** Strangers must not fill the memory with bodies that never end: only a beginning is kept until its token is known to be right. */
  const readTokens = async (request: IncomingMessage): Promise<string[]> => {
    let isCounted = false
    const check = async (text: string) => {
      const [, first] = /^\s*\{\s*"tokens"\s*:\s*\[\s*"([^"\\]*)"/.exec(text) ?? []
      if (first === undefined) throw new Refusal(400, texts.badRequest)
      await tokens.download(first)
      if (arriving >= ARRIVING_MAX) throw refuseBusy()
      arriving += 1
      isCounted = true
    }
    try {
      const beginning = { bytes: TOKEN_MAX + 100, check }
      const body = asked.safeParse(parseJson(await readText(request, BODY_MAX, beginning)))
      if (!body.success) throw new Refusal(400, texts.badRequest)
      return body.data.tokens
    } finally {
      if (isCounted) arriving -= 1
    }
  }

  app.post('/copies', async (request, reply) => {
    const list = await readTokens(request.raw)
    if (sending >= SENDING_MAX) throw refuseBusy()
    sending += 1
    let to: string | undefined
    try {
      const named = await verify(list)
      const { sub } = named[0] as DownloadClaims
      const already = sendingTo.get(sub) ?? 0
      if (already >= SENDING_TO_NODE) throw refuseBusy()
      to = sub
      sendingTo.set(to, already + 1)
      const found = await find(named)
      const [first] = found
      const header = carHeader(first ? [parseCid(first.claims.cid)] : [])
      const pieces = [header, ...found.map(({ frame }) => frame)]
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
      reply.hijack()
      await send(reply.raw, pieces, length)
      for (const { claims, frame } of found) {
        const meter = served.begin(claims)
        meter.add(frame.length)
        meter.end()
      }
    } finally {
      sending -= 1
      if (to !== undefined) {
        const left = (sendingTo.get(to) ?? 0) - 1
        if (left > 0) sendingTo.set(to, left)
        else sendingTo.delete(to)
      }
    }
  })

  /** If the other node goes away, or takes nothing for long, it asks again. */
  const send = async (response: ServerResponse, pieces: readonly Uint8Array[], length: number): Promise<void> => {
    response.setTimeout(SILENCE_MS, () => response.destroy())
    const late = setTimeout(() => response.destroy(), SENDING_MS)
    response.writeHead(200, { 'content-type': CAR_TYPE, 'content-length': length })
    try {
      await sendPieces(wrapOutgoing(outgoing(response, { add: () => {}, end: () => {} })), pieces)
      response.end()
    } catch {
      response.destroy()
    } finally {
      clearTimeout(late)
    }
  }
}
