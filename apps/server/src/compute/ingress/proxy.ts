import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { createSniCallback } from '@tidenet/certificates'
import { createProxyServer, type ProxyServer, type ProxyServerOptions } from 'httpxy'
import { refuseUpgrade } from '../../platform/http/upgrades.ts'
import type { Context } from '../context.ts'
import type { TargetRow } from '../workspaces/addresses.ts'
import { hostnameOf, labelOf } from '../workspaces/labels.ts'
import type { IngressCertificates } from './certificates.ts'
import { type Answer, cookiesOf, createGate, OWN_PATHS, type Visit } from './gate.ts'
import { pageOf } from './pages.ts'
import { createTargets, type FindValidSessions } from './targets.ts'

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse

/** Connections of one client address; open requests of one program. */
const CLIENT_MAX = 256
const PROGRAM_MAX = 512
const STREAMS_MAX = 128
/** Nothing sent or received for this long ends a request, and an upgraded connection. */
const IDLE_MS = 600_000
const UPGRADED_IDLE_MS = 3_600_000
const FORM_BYTES = 4096
/** Headers about a single connection that the library does not remove. */
const HOP_BY_HOP = ['keep-alive', 'proxy-connection', 'upgrade', 'te', 'http2-settings']
/** What only we may say about the visitor. */
const FORWARDED = [
  'forwarded',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
]

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
  const clients = counter(CLIENT_MAX)
  const programs = counter(PROGRAM_MAX)
  const proxy = createProxyServer({ agent: targets.agent }) as unknown as ProxyServer<Request, Response>
  proxy.on('proxyRes', harmless)
  proxy.on('proxyReq', (sent, request, response) => {
    // For example after a switch of protocols that nobody asked for.
    sent.once('close', () => {
      if (!response.headersSent && !response.destroyed) answer(request, response, { status: 502, name: 'silent' })
    })
  })
  proxy.on('proxyReqWs', (sent) => {
    sent.on('upgrade', harmless)
    sent.on('response', harmless)
  })
  proxy.on('error', (_error, request, response) => {
    if (!request || !response) return
    if (!('writeHead' in response)) return refuseUpgrade(response, 502)
    if (response.headersSent) return void response.destroy()
    answer(request, response, { status: 502, name: 'silent' })
  })

  // The proxy removes all timeouts of upgraded connections.
  proxy.on('open', (socket) => socket.setTimeout(UPGRADED_IDLE_MS, () => socket.destroy()))

  function answer(request: Request, response: Response, given: NonNullable<Answer>): void {
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

  /** Whom the request is for; undefined if there is nobody. */
  async function visitOf(request: Request): Promise<Visit | undefined> {
    const label = labelOf(hostOf(request), domain.hostname) ?? hostnameOf(hostOf(request))
    const row = label && (await targets.find(label))
    if (!row) return undefined
    const { method = 'GET', url: path = '/', headers, socket } = request
    return { label, row, method, path, headers, ip: socket.remoteAddress ?? '' }
  }

  function optionsFor(request: Request, row: TargetRow): ProxyServerOptions {
    const { headers, socket } = request
    for (const name of FORWARDED) delete headers[name]
    // We have answered it.
    delete headers.expect
    const cookies = cookiesOf(headers.cookie).filter(([name]) => name !== gate.cookie)
    if (headers.cookie !== undefined) headers.cookie = cookies.map((pair) => pair.join('=')).join('; ')
    if (headers.cookie === '') delete headers.cookie
    return {
      target: { protocol: 'http:', host: targets.nameOf(row), port: row.port },
      headers: {
        'x-forwarded-for': socket.remoteAddress ?? '',
        'x-forwarded-host': hostOf(request),
        'x-forwarded-proto': domain.protocol.slice(0, -1),
      },
    }
  }

  async function serve(request: Request, response: Response): Promise<void> {
    const visit = await visitOf(request)
    if (!visit) return answer(request, response, { status: 404, name: 'unknown' })
    if (visit.method === 'POST' && visit.path === `${OWN_PATHS}password`)
      return answer(request, response, (await gate.tryPassword(visit, await formOf(request))) ?? { to: '/' })
    const refused = await gate.admit(visit)
    if (refused) return answer(request, response, refused)
    if (request.socket.destroyed || response.destroyed) return
    const release = programs.take(visit.row.workload)
    if (!release) return answer(request, response, { status: 503, name: 'busy' })
    response.once('close', release)
    await proxy.web(request, response, optionsFor(request, visit.row))
  }

  const onRequest = (request: Request, response: Response): void => {
    response.on('error', () => response.destroy())
    serve(request, response).catch((error: unknown) => {
      log.debug({ err: error }, 'a request of a visitor failed')
      if (response.headersSent) response.destroy()
      else answer(request, response, { status: 503, name: 'failed' })
    })
  }

  async function upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const visit = await visitOf(request)
    if (!visit) return refuseUpgrade(socket, 404)
    if (await gate.admit(visit)) return refuseUpgrade(socket, 401)
    if (socket.destroyed) return
    const release = programs.take(visit.row.workload)
    if (!release) return refuseUpgrade(socket, 429)
    socket.once('close', release)
    await proxy.ws(request, socket, optionsFor(request, visit.row), head)
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
  server.on(find ? 'secureConnection' : 'connection', (socket: Socket) => {
    const release = clients.take(socket.remoteAddress ?? '')
    if (!release) return void socket.destroy()
    socket.once('close', release)
  })
  server.setTimeout(IDLE_MS)
  // Uploads may take any time, as long as they proceed.
  Object.assign(server, { requestTimeout: 0 })

  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    server,
    /** Whether a host is the domain of a customer. */
    isKnown: async (host: string) => (await targets.find(host)) !== undefined,
    async stop(): Promise<void> {
      targets.agent.destroy()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** Changes an answer of a program, before it is passed on, so that it harms neither this process nor the programs of others. */
function harmless(answer: IncomingMessage): void {
  const { statusCode = 0, headers } = answer
  // Node throws for others when they are sent: with HTTP/2 more than with HTTP/1.1.
  if (statusCode !== 101 && (statusCode < 200 || statusCode > 599)) answer.statusCode = 502
  answer.statusMessage = ''
  // They are about the program's connection to us, and HTTP/2 forbids them.
  if (statusCode !== 101) for (const name of HOP_BY_HOP) delete headers[name]
  // The last of several domains counts, so all are removed: a cookie stays with its program.
  if (headers['set-cookie'])
    headers['set-cookie'] = headers['set-cookie'].map((cookie) =>
      cookie.replaceAll(/;\s*domain\s*(=[^;]*)?(?=;|$)/gi, ''),
    )
}

const hostOf = ({ headers }: Request): string => String(headers[':authority'] ?? headers.host ?? '')

/** Counts what is open by key, up to a limit. `take` returns the function that ends it, or undefined. */
function counter(most: number) {
  const counts = new Map<string, number>()
  return {
    take(key: string): (() => void) | undefined {
      const count = counts.get(key) ?? 0
      if (count >= most) return undefined
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
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
