import { createServer, type IncomingMessage } from 'node:http'
import { constants, createSecureServer } from 'node:http2'
import type { Socket } from 'node:net'
import { createSniCallback } from '@tidenet/certificates'
import { clientNetworkOf } from '@tidenet/daemon'
import { refuseUpgrade } from '../../platform/http/upgrades.ts'
import type { Context } from '../context.ts'
import { hostnameOf, labelOf } from '../workspaces/labels.ts'
import type { IngressCertificates } from './certificates.ts'
import { cut, type Forwarded, forward, forwardUpgrade, type Request, type Response } from './forward.ts'
import { type Answer, createGate, OWN_PATHS, type Visit } from './gate.ts'
import { pageOf } from './pages.ts'
import { createTargets, type FindValidSessions } from './targets.ts'
import { createCounter, createVisits } from './visits.ts'

/** Connections of one client. */
const CONNECTIONS_MAX = 256
const STREAMS_MAX = 128
/** Nothing sent or received for this long ends a request. */
const IDLE_MS = 600_000
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
  const connections = createCounter(CONNECTIONS_MAX)
  const visits = createVisits({
    mayStay: async (visit) => gate.mayStay(visit, await targets.find(visit.label)),
    pace: config.pace,
    log,
  })

  function answer(request: Request, response: Response, given: NonNullable<Answer>): void {
    if (response.destroyed || response.headersSent) return
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

  /**
   * Whom the request is for; undefined if there is nobody.
   * @param ip of the visitor, read before anything was waited for: a connection that ended has none
   */
  async function visitOf(request: Request, ip: string): Promise<Visit | undefined> {
    const label = labelOf(hostOf(request), domain.hostname) ?? hostnameOf(hostOf(request))
    const row = label && (await targets.find(label))
    if (!row) return undefined
    const { method = 'GET', url: path = '/', headers } = request
    return { label, row, method, path, headers, ip }
  }

  const forwardedOf = <R extends Request>(request: R, { row, path, ip }: Visit): Forwarded & { request: R } => ({
    request,
    path,
    visitor: { ip, host: hostOf(request), protocol: domain.protocol.slice(0, -1), cookie: gate.cookie },
    agent: targets.agent,
    name: targets.nameOf(row),
    port: row.port,
  })

  async function serve(request: Request, response: Response, ip: string): Promise<void> {
    const visit = await visitOf(request, ip)
    if (!visit) return answer(request, response, { status: 404, name: 'unknown' })
    if (visit.method === 'POST' && visit.path === `${OWN_PATHS}password`)
      return answer(request, response, (await gate.tryPassword(visit, await formOf(request))) ?? { to: '/' })
    const refused = await gate.admit(visit)
    if (refused) return answer(request, response, refused)
    if (response.destroyed) return
    const release = visits.begin(visit, () => cut(response))
    if (!release) return answer(request, response, { status: 503, name: 'busy' })
    response.once('close', release)
    forward(forwardedOf(request, visit), response, () => answer(request, response, { status: 502, name: 'silent' }))
  }

  const onRequest = (request: Request, response: Response): void => {
    request.on('error', () => cut(response))
    response.on('error', () => cut(response))
    // The server's own timeout is that of a connection, on which other requests may proceed.
    if ('stream' in request) request.stream.setTimeout(IDLE_MS, () => request.stream.close(constants.NGHTTP2_CANCEL))
    serve(request, response, request.socket.remoteAddress ?? '').catch((error: unknown) => {
      log.debug({ err: error }, 'a request of a visitor failed')
      if (response.headersSent) cut(response)
      else answer(request, response, { status: 503, name: 'failed' })
    })
  }

  async function upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket')
      return refuseUpgrade(socket, 404)
    const visit = await visitOf(request, socket.remoteAddress ?? '')
    if (!visit) return refuseUpgrade(socket, 404)
    if (await gate.admit(visit)) return refuseUpgrade(socket, 401)
    if (socket.destroyed) return
    const release = visits.begin(visit, () => socket.destroy())
    if (!release) return refuseUpgrade(socket, 429)
    socket.once('close', release)
    forwardUpgrade(forwardedOf(request, visit), socket, head, () => refuseUpgrade(socket, 502))
  }

  const server = find
    ? createSecureServer(
        { allowHTTP1: true, SNICallback: createSniCallback(find), settings: { maxConcurrentStreams: STREAMS_MAX } },
        onRequest,
      )
    : createServer(onRequest)
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head).catch(() => refuseUpgrade(socket, 502))
  })
  server.setTimeout(IDLE_MS)
  // Uploads may take any time, as long as they proceed.
  Object.assign(server, { requestTimeout: 0 })

  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    // From here on, so that unfinished handshakes count, too.
    const release = connections.take(clientNetworkOf(socket.remoteAddress ?? ''))
    if (!release) return void socket.destroy()
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      release()
    })
  })
  return {
    server,
    /** Whether a host is the domain of a customer. */
    isKnown: async (host: string) => (await targets.find(host)) !== undefined,
    async stop(): Promise<void> {
      await visits.stop()
      targets.agent.destroy()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

const hostOf = ({ headers }: Request): string => String(headers[':authority'] ?? headers.host ?? '')

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
