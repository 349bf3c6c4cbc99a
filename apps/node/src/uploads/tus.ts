import { NODE_FILE_MAX } from '@tidenet/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refuseForeign } from '../refusal.ts'
import { bearerToken, disconnectSignal, queryToken, visitorNetwork } from '../requests.ts'
import { texts } from '../texts.ts'
import type { Tokens } from '../tokens.ts'
import type { Pace } from './pace.ts'
import { inSlot, type Slots } from './slots.ts'
import { type StoredUpload, storedAnswer } from './store-upload.ts'
import {
  ALGORITHMS,
  CHUNK_TYPE,
  checkMetadata,
  header,
  isChunk,
  readChecksum,
  readLength,
  readNumber,
} from './tus-headers.ts'
import { readConcat } from './tus-parts.ts'
import type { TusSessions } from './tus-sessions.ts'
import { ChecksumMismatch, type TusSession } from './tus-upload.ts'
import { uploadName } from './used-tokens.ts'

/** tus 1.0.0 at `/tus`; quotes are from the protocol. */
const VERSION = '1.0.0'
const EXTENSIONS = 'creation,creation-with-upload,creation-defer-length,termination,expiration,checksum,concatenation'
/** `Upload-Concat` of the last uploads in parts, for requests that repeat one or ask for it. */
const JOINED_MAX = 1000

export function serveTus(app: FastifyInstance, parts: { tokens: Tokens; sessions: TusSessions; slots: Slots }): void {
  const { tokens, sessions, slots } = parts
  /** By the name of the upload. */
  const joined = new Map<string, string>()

  /** The upload of a request; any token of the same account for this node may continue it. */
  const find = async (request: FastifyRequest): Promise<TusSession> => {
    const claims = await tokens.upload(bearerToken(request))
    const { name } = request.params as { name: string }
    const session = await sessions.settled(name)
    // "If the resource is not found, the Server SHOULD return either the 404 Not Found, 410 Gone or 403 Forbidden status
    // without the Upload-Offset header."
    if (!session) throw new Refusal(404, texts.noUpload)
    if (session.claims.sub !== claims.sub) throw refuseForeign('The upload belongs to someone else.')
    return session
  }

  const withSlot = <T>(request: FastifyRequest, reply: FastifyReply, work: (pace: Pace) => Promise<T>) =>
    inSlot(slots, disconnectSignal(request.raw, reply.raw), work)

  /** Parts are stored when they are joined. */
  const isDone = (session: TusSession) => session.offset === session.length && session.part === undefined

  const append = (request: FastifyRequest, reply: FastifyReply, session: TusSession, offset: number) => {
    const checksum = readChecksum(request)
    return withSlot(request, reply, async (pace) => {
      try {
        await sessions.append(session, offset, { bytes: request.raw, pace, checksum })
        return isDone(session) ? await sessions.finish(session) : undefined
      } catch (error) {
        if (error instanceof ChecksumMismatch) throw new Refusal(460, texts.checksum)
        throw error
      }
    })
  }

  /** A token in the query is repeated in the address of the upload, since clients know no other place for it. */
  const location = (request: FastifyRequest, name: string): string => {
    const token = queryToken(request)
    return `/tus/${name}${token === undefined ? '' : `?token=${encodeURIComponent(token)}`}`
  }

  /** "The Client MUST NOT include the Upload-Length header in the final upload creation." */
  const join = async (request: FastifyRequest, reply: FastifyReply, concat: { text: string; names: string[] }) => {
    const claims = await tokens.upload(bearerToken(request))
    checkMetadata(header(request, 'upload-metadata') ?? '', claims)
    const name = uploadName(claims.jti)
    const before = joined.get(name) === concat.text ? sessions.finished(name) : undefined
    const stored = before ?? (await withSlot(request, reply, (pace) => sessions.join(claims, concat.names, pace)))
    if (joined.size >= JOINED_MAX) joined.delete(joined.keys().next().value ?? '')
    joined.set(name, concat.text)
    reply.code(201).header('location', location(request, name))
    return answer(reply, stored)
  }

  const create = async (request: FastifyRequest, reply: FastifyReply) => {
    const claims = await tokens.upload(bearerToken(request))
    const text = header(request, 'upload-concat')
    const concat = readConcat(text)
    if (text !== undefined && concat?.is === 'final') return join(request, reply, { text, names: concat.names })
    const isPart = concat !== undefined
    const length = readLength(request, claims, { isPart, mayDefer: true })
    const metadata = header(request, 'upload-metadata') ?? ''
    checkMetadata(metadata, claims)
    const session = await sessions.create(claims, { length, metadata, isPart, network: visitorNetwork(request) })
    // "The Server MUST set the Location header to the URL of the created resource."
    reply.code(201).header('location', location(request, session.name))
    // "The Client MAY include either the entirety or a chunk of the upload data in the body of the POST request. […] it MUST
    // include the Content-Type: application/offset+octet-stream header."
    // Clients send no bytes of an empty file.
    const hasBytes = isChunk(request)
    const stored = hasBytes || isDone(session) ? await append(request, reply, session, 0) : undefined
    describe(reply, session)
    return stored ? answer(reply, stored) : reply.send()
  }

  const head = async (request: FastifyRequest, reply: FastifyReply) => {
    // "The Server MUST prevent the client and/or proxies from caching the response by adding the Cache-Control: no-store header
    // to the response."
    reply.header('cache-control', 'no-store')
    const { name } = request.params as { name: string }
    let stored: StoredUpload | undefined
    let session = await find(request).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404) return undefined
      throw error
    })
    // All bytes arrived, but the client disconnected before the response, or the node stopped.
    if (session && isDone(session)) {
      stored = await sessions.finish(session)
      session = undefined
    }
    if (session) {
      describe(reply, session)
      // "If the length is not known, the Server MUST set Upload-Defer-Length: 1 in the HEAD response."
      if (session.length === undefined) reply.header('upload-defer-length', 1)
      else reply.header('upload-length', session.length)
      if (session.part !== undefined) reply.header('upload-concat', 'partial')
      return reply.code(200).header('upload-metadata', session.metadata).send()
    }
    const done = sessions.finished(name)
    if (!done || uploadName((await tokens.upload(bearerToken(request))).jti) !== name)
      throw new Refusal(404, texts.noUpload)
    reply.code(200).header('upload-length', done.size).header('upload-offset', done.size)
    // "MUST include the Upload-Concat header and its value as received in the upload creation."
    const concat = joined.get(name)
    if (concat !== undefined) reply.header('upload-concat', concat)
    storedHeaders(reply, stored ?? done)
    return reply.send()
  }

  const patch = async (request: FastifyRequest, reply: FastifyReply) => {
    // "All PATCH requests MUST use Content-Type: application/offset+octet-stream, otherwise the server SHOULD return a
    // 415 Unsupported Media Type status."
    if (!isChunk(request)) throw new Refusal(415, texts.chunkType(CHUNK_TYPE))
    const offset = readNumber(request, 'upload-offset')
    const session = await find(request)
    // "If the offsets do not match, the Server MUST respond with the 409 Conflict status without modifying the upload resource."
    if (offset !== session.offset) throw new Refusal(409, texts.uploadAt(session.offset))
    // "The Client MUST set the Upload-Length header in the next PATCH request, once the length is known."
    const isPart = session.part !== undefined
    const length = header(request, 'upload-length') && readLength(request, session.claims, { isPart, mayDefer: false })
    if (typeof length === 'number') sessions.setLength(session, length)
    const stored = await append(request, reply, session, offset)
    describe(reply, session)
    // "The Server MUST acknowledge successful PATCH requests with the 204 No Content status." The last one says what became of
    // the upload, so it has a body; clients in use take any 2xx.
    return stored ? answer(reply, stored) : reply.code(204).send()
  }

  const terminate = async (request: FastifyRequest, reply: FastifyReply) => {
    await sessions.remove(await find(request))
    // "When receiving a DELETE request for an existing upload the Server SHOULD free associated resources and MUST respond
    // with the 204 No Content status".
    return reply.code(204).send()
  }

  // "The X-HTTP-Method-Override request header MUST be a string which MUST be interpreted as the request's method by the Server,
  // if the header is presented."
  const overridden = async (request: FastifyRequest, reply: FastifyReply) => {
    const method = header(request, 'x-http-method-override')?.toUpperCase()
    if (method === 'PATCH') return patch(request, reply)
    if (method === 'DELETE') return terminate(request, reply)
    throw new Refusal(405, texts.overridable, {
      headers: { allow: 'HEAD, PATCH, DELETE, OPTIONS' },
    })
  }

  app.register(async (tus) => {
    tus.addHook('onRequest', async (request, reply) => {
      // "The Tus-Resumable header MUST be included in every request and response except for OPTIONS requests."
      if (request.method !== 'OPTIONS') reply.raw.setHeader('tus-resumable', VERSION)
      if (request.method !== 'OPTIONS' && header(request, 'tus-resumable') !== VERSION)
        // "it MUST respond with the 412 Precondition Failed status and MUST include the Tus-Version header into the response.
        // In addition, the Server MUST NOT process the request."
        throw new Refusal(412, texts.tusVersion(VERSION), { headers: { 'tus-version': VERSION } })
    })
    const options = async (_request: FastifyRequest, reply: FastifyReply) =>
      // "A successful response […] MUST contain the Tus-Version header. It MAY include the Tus-Extension and Tus-Max-Size headers."
      reply
        .code(204)
        .header('tus-resumable', VERSION)
        .header('tus-version', VERSION)
        .header('tus-extension', EXTENSIONS)
        .header('tus-max-size', NODE_FILE_MAX)
        .header('tus-checksum-algorithm', ALGORITHMS.join(','))
        .send()
    tus.options('/tus', options)
    tus.options('/tus/:name', options)
    tus.post('/tus', create)
    tus.head('/tus/:name', head)
    tus.patch('/tus/:name', patch)
    tus.delete('/tus/:name', terminate)
    tus.post('/tus/:name', overridden)
  })
}

function describe(reply: FastifyReply, session: TusSession): void {
  reply.header('upload-offset', session.offset)
  // "This header MUST be included in every PATCH response if the upload is going to expire."
  if (session.part !== undefined || session.offset !== session.length)
    reply.header('upload-expires', new Date(session.expires).toUTCString())
}

function storedHeaders(reply: FastifyReply, stored: StoredUpload): void {
  reply.header('upload-cid', stored.cid).header('upload-receipt', stored.receipt)
}

function answer(reply: FastifyReply, stored: StoredUpload): FastifyReply {
  storedHeaders(reply, stored)
  if (reply.statusCode !== 201) reply.code(200)
  return reply.send(storedAnswer(stored))
}
