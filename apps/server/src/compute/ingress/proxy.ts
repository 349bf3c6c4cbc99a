import { createServer, type IncomingMessage } from 'node:http'
import { constants, createSecureServer, type ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createSniCallback } from '@tidenet/certificates'
import { refuseUpgrade } from '../../platform/http/upgrades.ts'
import type { Context } from '../context.ts'
import { hostnameOf, labelOf } from '../workspaces/labels.ts'
import type { IngressCertificates } from './certificates.ts'
import { createClients } from './clients.ts'
import {
  cut,
  type Forwarded,
  forward,
  forwardUpgrade,
  hasLeft,
  type Request,
  type Response,
  whenOver,
} from './forward.ts'
import { type Answer, createGate, OWN_PATHS, type Visit } from './gate.ts'
import { createLimits } from './limits.ts'
import { type Page, pageOf } from './pages.ts'
import { createTargets, type FindValidSessions } from './targets.ts'
import { keepTcpPorts } from './tcp.ts'
import { createVisits } from './visits.ts'

const STREAMS_MAX = 128
/** Requests by HTTP/2 that a client takes back, in a time; browsers do so when a page is left. */
const RESETS_MAX = 500
const RESETS_MS = 10_000
/** Nothing sent or received for this long ends a request. */
const IDLE_MS = 600_000
/** For the head of a request, and for a handshake. */
const HEAD_MS = { usual: 20_000, quick: 1000 }
const FORM_BYTES = 4096

/**
 * The reverse proxy for programs in workspaces: HTTP/1.1, HTTP/2 with TLS, websockets. Bodies are streamed.
 * @param find the certificate of a host name; undefined: plain HTTP
 */
export function createIngress(
  context: Context,
  findValidSessions: FindValidSessions,
  find?: IngressCertificates['find'],
) {
  const { config, log } = context
  const { url } = config.ingress
  const domain = new URL(url)
  const targets = createTargets(context, findValidSessions)
  const gate = createGate(context, targets)
  const clients = createClients(find ? '' : config.trustProxy)
  const limits = createLimits()
  const tcp = keepTcpPorts(context, { targets, clients, limits })
  const visits = createVisits({
    limits,
    mayStay: async (visit) => gate.mayStay(visit, await targets.find(visit.label)),
    pace: config.pace,
    log,
  })

  function answer(request: Request, response: Response, given: NonNullable<Answer>): void {
    if (hasLeft(request, response) || response.headersSent) return
    if (!('status' in given)) {
      response.writeHead(303, {
        location: given.to,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        ...(given.cookie && { 'set-cookie': given.cookie }),
      })
      return void response.end()
    }
    const { status, headers, body } = pageOf(given, hostOf(request), request.headers)
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? '' : body)
  }

  /** Whom the request is for, or the answer that refuses it. */
  async function visitOf(request: Request): Promise<Visit | Page> {
    // Before anything is waited for: a connection that ended has no address.
    const ip = clients.addressOf(request.socket.remoteAddress ?? '', oneOf(request.headers['x-forwarded-for']))
    const { method = 'GET', headers } = request
    const host = hostOf(request)
    const path = pathOf(request)
    if (path === undefined) return { status: 400, name: 'invalid' }
    if (find && !isOfConnection(host, (request.socket as TLSSocket).servername || undefined))
      return { status: 421, name: 'misdirected' }
    const label = labelOf(host, domain.hostname) ?? hostnameOf(host)
    const row = label && (await targets.find(label))
    return row ? { label, row, method, path, headers, ip } : { status: 404, name: 'unknown' }
  }

  /** Browsers use a connection for all names of its certificate. @param name that the connection asked for */
  function isOfConnection(host: string, name: string | undefined): boolean {
    const [asked, opened] = [hostnameOf(host), hostnameOf(name ?? '')]
    return (
      asked === opened ||
      (labelOf(asked, domain.hostname) !== undefined && labelOf(opened, domain.hostname) !== undefined)
    )
  }

  const forwardedOf = <R extends Request>(request: R, { row, path, ip }: Visit): Forwarded & { request: R } => ({
    request,
    path,
    visitor: { ip, host: hostOf(request), protocol: domain.protocol.slice(0, -1), cookie: gate.cookie },
    pool: targets.poolOf(row),
    connect: () => targets.connect(row),
    pace: config.pace,
  })

  async function serve(request: Request, response: Response): Promise<void> {
    const visit = await visitOf(request)
    if ('status' in visit) return answer(request, response, visit)
    if (visit.method === 'POST' && visit.path === `${OWN_PATHS}password`)
      return answer(request, response, (await gate.tryPassword(visit, await formOf(request))) ?? { to: '/' })
    const refused = await gate.admit(visit)
    if (refused) return answer(request, response, refused)
    if (hasLeft(request, response)) return
    const release = visits.begin(visit, () => cut(response))
    if (!release) return answer(request, response, { status: 503, name: 'busy' })
    whenOver(request, response, release)
    forward(forwardedOf(request, visit), response, () => answer(request, response, { status: 502, name: 'silent' }))
  }

  const onRequest = (request: Request, response: Response): void => {
    request.on('error', () => cut(response))
    response.on('error', () => cut(response))
    // The server's own timeout is that of a connection, on which other requests may proceed.
    if ('stream' in request) request.stream.setTimeout(IDLE_MS, () => request.stream.close(constants.NGHTTP2_CANCEL))
    serve(request, response).catch((error: unknown) => {
      log.debug({ err: error }, 'a request of a visitor failed')
      if (response.headersSent) cut(response)
      else answer(request, response, { status: 503, name: 'failed' })
    })
  }

  async function upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket')
      return refuseUpgrade(socket, 404)
    const visit = await visitOf(request)
    if ('status' in visit) return refuseUpgrade(socket, 404)
    if (await gate.admit(visit)) return refuseUpgrade(socket, 401)
    if (socket.destroyed) return
    const release = visits.begin(visit, () => socket.destroy())
    if (!release) return refuseUpgrade(socket, 429)
    socket.once('close', release)
    forwardUpgrade(forwardedOf(request, visit), socket, head, () => refuseUpgrade(socket, 502))
  }

  const headersTimeout = HEAD_MS[config.pace]
  // Uploads may take any time, as long as they proceed, see `forward`.
  const timeouts = { headersTimeout, requestTimeout: 0, connectionsCheckingInterval: headersTimeout / 4 }
  const server = find
    ? createSecureServer(
        {
          allowHTTP1: true,
          SNICallback: createSniCallback(find),
          handshakeTimeout: headersTimeout,
          settings: { maxConcurrentStreams: STREAMS_MAX },
        },
        onRequest,
      )
    : createServer(timeouts, onRequest)
  Object.assign(server, timeouts)
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head).catch(() => refuseUpgrade(socket, 502))
  })
  server.setTimeout(IDLE_MS)
  server.on('session', limitResets)

  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    // From here on, so that unfinished handshakes count, too.
    if (!clients.accept(socket)) return void socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    server,
    /** Whether a host is the domain of a customer. */
    isKnown: async (host: string) => (await targets.find(host)) !== undefined,
    async stop(): Promise<void> {
      await tcp.stop()
      await visits.stop()
      await targets.stop()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Opening and taking back costs a client nothing, and a server a lot (CVE-2023-44487). */
function limitResets(session: ServerHttp2Session): void {
  let [resets, since] = [0, performance.now()]
  session.on('stream', (stream) =>
    stream.once('aborted', () => {
      if (performance.now() - since > RESETS_MS) [resets, since] = [0, performance.now()]
      if (++resets > RESETS_MAX) session.destroy()
    }),
  )
}

const oneOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join() : header
const hostOf = ({ headers }: Request): string => String(headers[':authority'] ?? headers.host ?? '')

function countHosts({ rawHeaders }: Request): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count++
  return count
}

/** Path and query; undefined if the address is none, or it is not clear whose it is. */
function pathOf(request: Request): string | undefined {
  const { method, url = '' } = request
  // Node takes the first of several hosts, and programs may take another one.
  if (request.httpVersionMajor < 1 || countHosts(request) > 1) return undefined
  if (url === '*' && method === 'OPTIONS') return url
  const host = hostOf(request)
  // HTTP/1.1 allows the whole address (RFC 9112, 3.2.2).
  const whole = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url)
  if (whole && whole[1]?.toLowerCase() !== host.toLowerCase()) return undefined
  const path = whole ? whole[2]?.replace(/^(?!\/)/, '/') : url
  return path !== undefined && /^\/[\x21-\x7e\x80-\xff]*$/.test(path) ? path : undefined
}

async function formOf(request: Request): Promise<URLSearchParams> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += (part as Buffer).length
    if (bytes > FORM_BYTES) throw new Error('the form is too large')
    parts.push(part as Buffer)
  }
  return new URLSearchParams(Buffer.concat(parts).toString())
}
