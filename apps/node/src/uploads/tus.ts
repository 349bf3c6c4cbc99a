import { NODE_FILE_MAX, type UploadClaims } from '@tidenet/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, refuseForeign } from '../refusal.ts'
import { bearerToken, disconnectSignal, visitorNetwork } from '../requests.ts'
import { shared, texts } from '../texts.ts'
import type { Tokens } from '../tokens.ts'
import { createPace } from './pace.ts'
import type { Slots } from './slots.ts'
import { checkSize, type StoredUpload, storedAnswer } from './store-upload.ts'
import type { TusSessions } from './tus-sessions.ts'
import { type Checksum, ChecksumMismatch, type TusSession } from './tus-upload.ts'
import { uploadName } from './used-tokens.ts'

/** tus 1.0.0 at `/tus`; quotes are from the protocol. */
const VERSION = '1.0.0'
const EXTENSIONS = 'creation,creation-with-upload,termination,expiration,checksum'
const ALGORITHMS = ['sha1', 'sha256', 'md5'] as const
const CHUNK_TYPE = 'application/offset+octet-stream'

export function serveTus(app: FastifyInstance, parts: { tokens: Tokens; sessions: TusSessions; slots: Slots }): void {
  const { tokens, sessions, slots } = parts

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

  const append = async (request: FastifyRequest, reply: FastifyReply, session: TusSession, offset: number) => {
    const checksum = readChecksum(request)
    const signal = disconnectSignal(request.raw, reply.raw)
    const place = await slots.enter(signal)
    const pace = createPace(signal, place.stepAside)
    try {
      await sessions.append(session, offset, { bytes: request.raw, pace, checksum })
      return session.offset === session.length ? await sessions.finish(session) : undefined
    } catch (error) {
      if (error instanceof ChecksumMismatch) throw new Refusal(460, texts.checksum)
      throw error
    } finally {
      pace.stop()
      place.leave()
    }
  }

  const create = async (request: FastifyRequest, reply: FastifyReply) => {
    const claims = await tokens.upload(bearerToken(request))
    const length = readLength(request, claims)
    const metadata = header(request, 'upload-metadata') ?? ''
    checkMetadata(metadata, claims)
    const session = await sessions.create(claims, length, metadata, visitorNetwork(request))
    // "The Server MUST set the Location header to the URL of the created resource."
    reply.code(201).header('location', `/tus/${session.name}`)
    // "The Client MAY include either the entirety or a chunk of the upload data in the body of the POST request. […] it MUST
    // include the Content-Type: application/offset+octet-stream header."
    const stored = isChunk(request) ? await append(request, reply, session, 0) : undefined
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
    if (session && session.offset === session.length) {
      stored = await sessions.finish(session)
      session = undefined
    }
    if (session) {
      describe(reply, session)
      return reply.code(200).header('upload-length', session.length).header('upload-metadata', session.metadata).send()
    }
    const done = sessions.finished(name)
    if (!done || uploadName((await tokens.upload(bearerToken(request))).jti) !== name)
      throw new Refusal(404, texts.noUpload)
    reply.code(200).header('upload-length', done.size).header('upload-offset', done.size)
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
  if (session.offset < session.length) reply.header('upload-expires', new Date(session.expires).toUTCString())
}

function storedHeaders(reply: FastifyReply, stored: StoredUpload): void {
  reply.header('upload-cid', stored.cid).header('upload-receipt', stored.receipt)
}

function answer(reply: FastifyReply, stored: StoredUpload): FastifyReply {
  storedHeaders(reply, stored)
  if (reply.statusCode !== 201) reply.code(200)
  return reply.send(storedAnswer(stored))
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

const isChunk = (request: FastifyRequest) => header(request, 'content-type')?.toLowerCase() === CHUNK_TYPE

/** "The value MUST be a non-negative integer." */
function readNumber(request: FastifyRequest, name: string): number {
  const text = header(request, name) ?? ''
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new Refusal(400, texts.numberOfBytes(name))
  return value
}

function readLength(request: FastifyRequest, claims: UploadClaims): number {
  const length = readNumber(request, 'upload-length')
  // "If the length of the upload exceeds the maximum, which MAY be specified using the Tus-Max-Size header, the Server MUST
  // respond with the 413 Request Entity Too Large status."
  checkSize(claims, length)
  if (length === 0) throw new Refusal(400, shared('emptyFile'), { err: 10030 })
  if (claims.size !== undefined && length !== claims.size)
    throw new Refusal(422, texts.notAnnounced(length, claims.size))
  if (claims.kind === 'car' && claims.cid === undefined) throw refuseForeign('The token names no root.')
  return length
}

/**
 * "The Upload-Metadata request and response header MUST consist of one or more comma-separated key-value pairs. […] The key MUST
 * NOT contain spaces and commas and MUST NOT be empty."
 */
function checkMetadata(metadata: string, claims: UploadClaims): void {
  if (metadata.length > 4096) throw new Refusal(400, texts.metadataTooLong)
  if (metadata === '') return
  for (const pair of metadata.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    if (key === '' || more.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw new Refusal(400, texts.metadataMalformed)
    if (key === 'kind' && Buffer.from(value, 'base64').toString() !== claims.kind)
      throw refuseForeign('The token is for another kind of upload.')
  }
}

/**
 * "The header MUST consist of the name of the used checksum algorithm and the Base64 encoded checksum separated by a space."
 */
function readChecksum(request: FastifyRequest): Checksum | undefined {
  const text = header(request, 'upload-checksum')
  if (text === undefined) return undefined
  const [name, digest = ''] = text.split(' ')
  const algorithm = ALGORITHMS.find((known) => known === name)
  // "The Server MAY respond with […] 400 Bad Request if the checksum algorithm is not supported by the server".
  if (!algorithm) throw new Refusal(400, texts.checksumAlgorithm)
  return { algorithm, digest: Buffer.from(digest, 'base64') }
}
