import type { ServerResponse } from 'node:http'
import { type Cid, isContentError, parseCid, sameCid } from '@tidenet/content'
import { matches, readRange } from '@tidenet/content/byte-range'
import { disposition } from '@tidenet/content/content-type'
import type { DownloadClaims } from '@tidenet/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BlockedContents } from '../blocked-contents.ts'
import type { ContentStore } from '../contents/content-store.ts'
import type { OpenContent } from '../contents/open-content.ts'
import type { Withheld } from '../contents/withheld.ts'
import type { EndedShares } from '../ended-shares.ts'
import { Refusal, refuseBlocked, refuseForeign } from '../refusal.ts'
import { bearerToken, disconnectSignal, visitorNetwork } from '../requests.ts'
import type { Served } from '../served.ts'
import { shared, texts } from '../texts.ts'
import type { Tokens } from '../tokens.ts'
import type { Body } from './body.ts'
import { chooseBody } from './choose-body.ts'
import { type DownloadRequest, parseDownloadRequest } from './download-request.ts'
import { createListingMemory, type Held, pageMemory } from './listing-memory.ts'
import type { Outgoing } from './outgoing.ts'
import { createRepeatedReads } from './repeated-reads.ts'
import { ClientGone, outgoing } from './sending.ts'
import type { WithheldParts } from './withheld-parts.ts'

/** What is downloaded, and by whom. */
interface Source {
  content: OpenContent
  root: Cid
  claims: DownloadClaims
  /** What was withheld when it began. */
  withheld: Withheld | undefined
}

/** Statistics of downloads. */
export interface Downloads {
  readonly active: number
  /** Bytes per second of recent large transfers; 0 if there were none. */
  readonly sendRate: number
}

/** Content is untrusted: it runs in a sandbox with its own origin and loads nothing from other hosts. */
const SANDBOX = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox"
const IMMUTABLE = 'private, max-age=29030400, immutable'

/** `GET|HEAD /ipfs/{cid}[/path]` of the trustless gateway specification, with tokens. */
export function serveDownloads(
  app: FastifyInstance,
  parts: {
    store: ContentStore
    tokens: Tokens
    ended: EndedShares
    blocked: BlockedContents
    withheldParts: WithheldParts
    served: Served
    server: string
    wrapOutgoing?: ((out: Outgoing) => Outgoing) | undefined
  },
): Downloads {
  const { store, tokens, ended, blocked, withheldParts, served, wrapOutgoing = (out) => out } = parts
  const listings = createListingMemory()
  const repeated = createRepeatedReads()
  let active = 0
  let sendRate = 0

  const download = async (request: FastifyRequest, reply: FastifyReply) => {
    const ask = parseDownloadRequest(request)
    const claims = await authorize(request, ask)
    const root = parseCid(claims.cid)
    // Also for the network's own copies: the server knows, and blames no node.
    if (blocked.has(root)) throw refuseBlocked()
    const content = await store.open(rootText(root))
    if (!content) {
      // HEAD checks for existence; 412 distinguishes missing content from a wrong URL.
      if (request.method === 'HEAD') throw new Refusal(412, texts.notHere)
      throw new Refusal(404, shared('assetUnknown'), { err: 10028, why: texts.notHere.en })
    }
    const signal = disconnectSignal(request.raw, reply.raw)
    let held: Held | undefined
    try {
      const withheld = await withheldParts.of(content, root)
      if (withheld && content.held.kind === 'file') throw refuseBlocked()
      const expected = content.held.kind === 'folder' && ask.format === undefined ? pageMemory(ask.count) : 0
      if (expected > 0) held = await listings.take(visitorNetwork(request), expected, signal)
      const body = await chooseBody(content, root, ask, { url: request.url, signal, withheld })
      held?.shrink(body.secret ? (body.size ?? 0) : 0)
      await answer(request, reply, { content, root, claims, withheld }, body, ask)
    } catch (error) {
      // The client is gone.
      if (!signal.aborted) throw error
      reply.hijack()
      reply.raw.destroy()
    } finally {
      held?.release()
      content.release()
    }
  }

  const authorize = async (request: FastifyRequest, ask: DownloadRequest): Promise<DownloadClaims> => {
    const claims = await tokens.download(bearerToken(request))
    const isRoot = sameCid(ask.cid, parseCid(claims.cid))
    if (isRoot) return claims
    // A block inside the content is proven by its path.
    if (ask.format !== 'raw' || ask.path.length > 0) throw refuseForeign('The token is for another content.')
    return claims
  }

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    from: Source,
    body: Body,
    ask: DownloadRequest,
  ): Promise<void> => {
    const response = reply.raw
    const { size } = from.content.held
    const part = choosePart(request, body)
    const sends = request.method !== 'HEAD' && 'end' in part
    // Archives tell no size before they are sent.
    const bytes = sends ? (body.size === undefined ? size : part.end - part.start) : 0
    const count = sends ? repeated.begin(from.claims, { size, bytes }) : () => {}
    // Responses written past Fastify need its headers too.
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) response.setHeader(name, value)
    reply.hijack()
    describe(response, body, ask)
    writeHead(response, body, part)
    if (sends) count(await send(response, from, body, part.start, part.end))
    else response.end()
  }

  /** Whether a running download must end: its content, or a part of it, was blocked since it began. */
  const wasBlocked = async ({ content, root, withheld }: Source): Promise<boolean> => {
    if (blocked.has(root)) return true
    const found = await withheldParts.of(content, root).catch(() => undefined)
    return found !== undefined && found !== withheld
  }

  /** @returns the bytes that were sent */
  const send = async (
    response: ServerResponse,
    from: Source,
    body: Body,
    start: number,
    end: number,
  ): Promise<number> => {
    const { claims } = from
    const meter = served.begin(claims)
    let bytes = 0
    const counting = {
      add: (more: number) => {
        bytes += more
        meter.add(more)
      },
      end: meter.end,
    }
    active += 1
    const started = performance.now()
    let sending = true
    // The head is sent: closing the connection is the only way to end the download.
    const endIfBlocked = () => void wasBlocked(from).then((isOver) => isOver && sending && response.destroy())
    const unwatch = [ended.watch(claims, () => response.destroy()), blocked.watch(endIfBlocked)]
    endIfBlocked()
    try {
      await body.send(wrapOutgoing(outgoing(response, counting)), start, end)
      sending = false
      response.end()
    } catch (error) {
      const gone = error instanceof ClientGone || response.destroyed
      // The head is sent: closing the connection is the only way to signal an incomplete body.
      response.destroy()
      // A malformed folder was uploaded that way; only a hash mismatch indicates a disk fault.
      const asItCame = isContentError(error) && error.code !== 'mismatch'
      if (!gone && !asItCame) store.markForCheck(rootText(parseCid(claims.cid)))
    } finally {
      sending = false
      for (const end of unwatch) end()
      meter.end()
      active -= 1
      if (bytes > 1 << 20) sendRate = sendRate * 0.7 + (bytes / (performance.now() - started)) * 300
    }
    return bytes
  }

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await download(request, reply)
    } catch (error) {
      if (!(error instanceof Refusal) || (error.status !== 401 && error.status !== 403)) throw error
      // Navigation gets an error page, programs get the status.
      if (request.headers['sec-fetch-mode'] !== 'navigate') throw error
      return reply.header('cache-control', 'no-store').redirect(`${parts.server}/redirect?errCode=${error.err}`, 302)
    }
    return reply
  }
  for (const url of ['/ipfs/:cid', '/ipfs/:cid/*']) app.route({ method: ['GET', 'HEAD'], url, handler })

  return {
    get active() {
      return active
    },
    get sendRate() {
      return sendRate
    },
  }
}

type Part = { status: 304 | 416 } | { status: 200 | 206; start: number; end: number }

/** What the conditions of a request ask for. */
function choosePart(request: FastifyRequest, { size, etag }: Body): Part {
  if (matches(request.headers['if-none-match'], etag)) return { status: 304 }
  const condition = request.headers['if-range']
  const wanted = condition === undefined || (condition === etag && !etag.startsWith('W/'))
  // Ranges are defined for GET only (RFC 9110, 14.2).
  const ranged = request.method === 'GET' && size !== undefined && wanted
  const range = !ranged ? undefined : readRange(request.headers.range, size)
  if (range === 'unsatisfiable') return { status: 416 }
  return range ? { status: 206, ...range } : { status: 200, start: 0, end: size ?? 0 }
}

function writeHead(response: ServerResponse, { size }: Body, part: Part): void {
  if (part.status === 416) {
    response.removeHeader('etag')
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-range', `bytes */${size}`)
  }
  if ('end' in part) {
    const { status, start, end } = part
    if (status === 206) response.setHeader('content-range', `bytes ${start}-${end - 1}/${size}`)
    if (size !== undefined) response.setHeader('content-length', end - start)
  }
  response.writeHead(part.status)
}

/** Contents are stored by CIDv1. */
const rootText = (root: Cid): string => root.toV1().toString()

function describe(response: ServerResponse, body: Body, ask: DownloadRequest): void {
  const headers: Record<string, string> = {
    'content-type': body.type,
    etag: body.etag,
    'cache-control': body.secret ? 'no-store' : IMMUTABLE,
    'content-security-policy': SANDBOX,
    'x-ipfs-path': encodeURI(`/ipfs/${[ask.cid, ...ask.path].join('/')}`),
    'accept-ranges': body.size === undefined ? 'none' : 'bytes',
    vary: 'Accept',
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // The tar has its own file name: the requested one with `.tar`.
  const name = ask.format === 'tar' ? body.name : (ask.filename ?? body.name)
  const attachment = ask.attachment || body.attachment
  if (name !== undefined)
    response.setHeader('content-disposition', disposition(attachment ? 'attachment' : 'inline', name))
  else if (attachment) response.setHeader('content-disposition', 'attachment')
}
