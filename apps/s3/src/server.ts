import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@tidenet/daemon'
import {
  errorXml,
  headerOf,
  parameterOf,
  readAddress,
  readHeaders,
  readSignature,
  readTarget,
  S3Error,
  type Target,
  withHoistedHeaders,
} from '@tidenet/s3-wire'
import { createAccess } from './access.ts'
import { createActive } from './active.ts'
import { clientAddress } from './client-address.ts'
import type { GatewayConfig } from './config.ts'
import { claimedAccessKey, createCors } from './cors.ts'
import type { Answer, Exchange } from './exchange.ts'
import { createHeldBodies } from './held-bodies.ts'
import { type Listening, listen, untilGone } from './listen.ts'
import { createOpenings } from './openings.ts'
import { type FormExchange, isForm, postObject, type WaitingForms } from './operations/post.ts'
import { createReadChecks } from './read-checks.ts'
import { knownError } from './refusals.ts'
import { route } from './route.ts'
import { createSmallWrites } from './small-writes.ts'

/** Answered without a signature, for load balancers. No bucket has such a name. */
const READY_PATH = '/-/ready'
const HOST_ID = 'tidenet'

/** Counts a request whose signature is right. @throws S3Error SlowDown */
type Enter = (accessKeyId: string) => void

/** Starts the gateway. It keeps nothing: any number can run side by side. */
export async function startGateway(
  config: GatewayConfig,
  { log, now = Date.now }: { log: Logger; now?: () => number },
): Promise<Listening> {
  const { access, findCorsRules } = createAccess(config, now)
  const cors = createCors(findCorsRules, now)
  const smallWrites = createSmallWrites()
  const openings = createOpenings(now)
  const heldBodies = createHeldBodies(now)
  const active = createActive()
  const readChecks = createReadChecks(now)
  const waiting: WaitingForms = new Map()

  const signedRequest = async (exchange: FormExchange, enter: Enter, ip: string): Promise<Answer> => {
    const signed = readSignature(exchange, now())
    const caller = await access(signed, ip)
    enter(signed.accessKeyId)
    const headers = withHoistedHeaders(exchange.headers, exchange.target)
    const again = () => access(signed, ip)
    const whilePermitted: Exchange['whilePermitted'] = (pieces) => readChecks.whilePermitted(pieces, again)
    return route({ ...exchange, headers, signed, caller, whilePermitted })
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomBytes(8).toString('hex').toUpperCase()
    const signal = untilGone(request, response)
    const { method = 'GET', url = '/' } = request
    let leave = () => {}
    const enter = (accessKeyId: string) => {
      leave = active.enter(accessKeyId)
    }
    let isWaiting = request.headers.expect !== undefined
    const askForBody = () => {
      if (isWaiting) response.writeContinue()
      isWaiting = false
    }
    response.setHeader('x-amz-request-id', requestId)
    response.setHeader('x-amz-id-2', HOST_ID)
    response.setHeader('server', 'Tidenet')
    try {
      if (url === READY_PATH) return void response.end('ready\n')
      const headers = readHeaders(request.rawHeaders)
      const target = readTarget(url)
      const peer = request.socket.remoteAddress ?? ''
      const ip = clientAddress(peer, headers.get('x-forwarded-for') ?? [], config.isProxy)
      const address = readAddress(target.path, headerOf(headers, 'host') ?? '', config.names)
      const common = {
        method,
        target,
        headers,
        address,
        request,
        response,
        signal,
        smallWrites,
        openings,
        heldBodies,
        cors,
        askForBody,
        idleTimeout: config.idleTimeout,
      }
      if (method === 'OPTIONS') {
        const allowed = await cors.preflight({ ...common, bucket: address.bucket, ip })
        return await send(response, { status: 200, headers: allowed }, common)
      }
      // Also on refusals, so that a page can say what is wrong.
      const readable = async (accessKeyId: string | undefined) => {
        const origin = headerOf(headers, 'origin')
        const allowed = await cors.headersFor({ origin, method, bucket: address.bucket, accessKeyId, ip })
        for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value)
        // Browsers open presigned URLs without an origin, too. What they cache then must not answer pages, which need other headers.
        if (isPresigned(target)) response.setHeader('vary', 'Origin')
      }
      await readable(claimedAccessKey(target, headers))
      const answer = isForm(common)
        ? await postObject(common, { access, now, ip, readable, enter, waiting })
        : await signedRequest(common, enter, ip)
      await send(response, answer, { method, idleTimeout: config.idleTimeout, signal })
    } catch (error) {
      const known = knownError(error)
      // A write to a client that is gone fails before its connection is closed.
      const isGone = signal.aborted || request.socket.destroyed
      if (isGone && !response.writableEnded) return void response.destroy()
      if (!known) log.error({ err: error, request: requestId, method }, 'a request failed')
      // What was sent cannot be taken back: the client sees that the answer ends early.
      if (response.headersSent) return void response.destroy()
      refuse(request, response, known ?? new S3Error('InternalError'), { url, requestId, isWaiting })
    } finally {
      leave()
    }
  }
  const listening = await listen(config, { large: true, maxHeaderSize: 32 * 1024 }, handle)
  return {
    port: listening.port,
    async stop() {
      await listening.stop()
      openings.stop()
      await smallWrites.stop()
    },
  }
}

async function send(
  response: ServerResponse,
  { status, headers = {}, body }: Answer,
  { method, idleTimeout, signal }: { method: string; idleTimeout: number; signal: AbortSignal },
): Promise<void> {
  if (typeof body !== 'object' || method === 'HEAD') {
    response.writeHead(status, headers)
    return void response.end(method === 'HEAD' ? undefined : body)
  }
  const begin = () => {
    response.writeHead(status, headers)
    // A client that takes nothing would keep pieces in memory for ever.
    response.setTimeout(idleTimeout, () => response.destroy())
  }
  // If no node has the bytes, the client is told so instead of seeing an answer that ends at once.
  for await (const piece of body) {
    if (!response.headersSent) begin()
    await written(response, piece, signal)
  }
  if (!response.headersSent) begin()
  response.end()
}

const isPresigned = (target: Target): boolean => parameterOf(target, 'X-Amz-Credential') !== undefined

/** Resolves when the system has the bytes, so that their memory can be used again. */
const written = (response: ServerResponse, bytes: Uint8Array, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onGone = () => reject(new Error('the client is gone'))
    if (signal.aborted) return onGone()
    signal.addEventListener('abort', onGone, { once: true })
    response.write(bytes, (error) => {
      signal.removeEventListener('abort', onGone)
      if (error) reject(error)
      else resolve()
    })
  })

/**
 * Bytes of a refused request that are read, and for how many ms: many clients look at the answer only after they have sent all, and would
 * see a broken connection instead.
 */
const DRAIN_MAX = 16 * 1024 * 1024
const DRAIN_MS = 10_000

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: S3Error,
  { url, requestId, isWaiting }: { url: string; requestId: string; isWaiting: boolean },
): void {
  const hasBody = request.method !== 'HEAD' && error.status !== 304
  const body = hasBody ? errorXml(error, { resource: url.split('?', 1)[0] ?? url, requestId, hostId: HOST_ID }) : ''
  const isUnread = !request.complete
  response.writeHead(error.status, {
    ...(hasBody && { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) }),
    ...(error.status === 503 && { 'retry-after': '1' }),
    ...(isUnread && { connection: 'close' }),
  })
  // Who waits to be asked for the body will not send it, nor will who stands still.
  if (!isUnread || isWaiting || error.code === 'RequestTimeout') return void response.end(body)
  // The end of the answer closes the connection, so it waits for the rest of the request.
  response.write(body)
  const end = () => {
    clearTimeout(late)
    response.end()
    if (!request.complete) request.destroy()
  }
  const late = setTimeout(end, DRAIN_MS)
  let drained = 0
  request.on('data', (piece: Buffer) => {
    drained += piece.length
    if (drained > DRAIN_MAX) end()
  })
  request.on('end', end)
  request.on('error', end)
  request.resume()
}
