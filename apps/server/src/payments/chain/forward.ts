import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import type { FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'
import { refuseUpgrade, serveUpgrade } from '../../platform/http/upgrades.ts'
import type { Context } from '../context.ts'
import type { ChainConfig } from './config.ts'

/**
 * Reverse proxy from wallets to the chain, under the portal's origin, so that browsers need no access to other hosts. Forwards only to
 * configured URLs, and nothing of the caller's request except path, query and body.
 */

const MAX_REQUEST_BYTES = 1024 * 1024
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024
const TIMEOUT_MS = 15_000
const REQUESTS_PER_MINUTE = 1200
const MAX_SOCKETS_PER_NETWORK = 20
const MAX_SOCKETS = 1000
/** Cannot name another host or leave the folder of the base URL. */
const PATH = /^(\/[\w.,:=%+~-]*)*$/

/** Wallets are extensions and apps with other origins, and data of the chain is public. */
const WALLETS: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'POST', 'OPTIONS'],
  allowedHeaders: ['content-type'],
  maxAge: 600,
  strictPreflight: false,
  // Headers that the plugin does not know are added below.
  preflightContinue: true,
}

export async function forwardChain(
  app: FastifyInstance,
  { log, config: server }: Pick<Context, 'log' | 'config'>,
  { rpc, rest }: ChainConfig,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_REQUEST_BYTES }, (_, body, done) =>
      done(null, body),
    )
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({
        'access-control-allow-private-network': 'true',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'no-store',
      })
      if (request.method === 'OPTIONS') return reply.code(204).send()
    })
    const config = { rateLimit: { max: REQUESTS_PER_MINUTE, timeWindow: 60_000 }, cors: WALLETS }
    for (const [prefix, bases, sendUnavailable] of [
      ['/chain/rpc', rpc, sendRpcUnavailable],
      ['/chain/rest', rest === '' ? [] : [rest], sendRestUnavailable],
    ] as const)
      for (const url of [prefix, `${prefix}/*`])
        scope.route({
          method: ['GET', 'POST', 'OPTIONS'],
          url,
          config,
          bodyLimit: MAX_REQUEST_BYTES,
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            const path = request.url.slice(prefix.length)
            const answered = await forward(request, reply, bases, path === '' ? '/' : path)
            if (answered) return reply
            log.warn({ path: prefix }, 'the chain does not answer')
            return sendUnavailable(reply, bases.length === 0)
          },
        })
  })
  if (rpc[0]) forwardWebsocket(app, rpc[0], server.trustProxy !== '')
}

const sendRpcUnavailable = (reply: FastifyReply) =>
  reply.code(502).send({
    jsonrpc: '2.0',
    id: -1,
    error: { code: -32603, message: 'Internal error', data: 'the chain does not answer' },
  })
/** gRPC status codes: 12 unimplemented, 14 unavailable. */
const sendRestUnavailable = (reply: FastifyReply, unconfigured: boolean) =>
  unconfigured
    ? reply.code(501).send({ code: 12, message: 'Not Implemented', details: [] })
    : reply.code(502).send({ code: 14, message: 'the chain does not answer', details: [] })

/** Tries one URL after the other. @returns false if none answers */
async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  bases: readonly string[],
  pathAndQuery: string,
): Promise<boolean> {
  const [path = '', query] = pathAndQuery.split(/\?(.*)/s)
  if (!PATH.test(path) || path.includes('//') || hasParentSegment(path)) {
    reply.code(400).send({ code: 3, message: 'the path is not right', details: [] })
    return true
  }
  for (const base of bases) {
    try {
      const answer = await fetch(`${base}${path}${query === undefined ? '' : `?${query}`}`, {
        method: request.method,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: request.method === 'POST' ? { 'content-type': 'application/json' } : {},
        ...(request.method === 'POST' && { body: (request.body as string | undefined) ?? '' }),
      })
      const { status } = answer
      // A chain node that restarts behind its proxy, or a redirect, which is never followed.
      if (status === 502 || status === 503 || status === 504 || (status >= 300 && status < 400)) continue
      const bytes = await readLimited(answer)
      if (!bytes) continue
      reply.code(status).type('application/json; charset=utf-8').send(bytes)
      return true
    } catch {
      // Try the next URL.
    }
  }
  return false
}

/** Encoded slashes are allowed, because contract queries contain them; parent segments are not. */
function hasParentSegment(path: string): boolean {
  const plain = path.replace(/%(2e|2f|5c)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return /(^|[/\\])\.\.?([/\\]|$)/.test(plain) || plain.includes('\\')
}

/** The body, or undefined if it exceeds the limit. */
async function readLimited(answer: Response): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  if (answer.body)
    for await (const part of answer.body) {
      size += part.length
      if (size > MAX_RESPONSE_BYTES) return undefined
      parts.push(part)
    }
  return Buffer.concat(parts)
}

/** Connects the caller's websocket to the first URL of the chain. A client that loses the connection opens another. */
function forwardWebsocket(app: FastifyInstance, base: string, behindProxy: boolean): void {
  const open = new Set<Duplex>()
  const byNetwork = new Map<string, number>()
  app.addHook('preClose', async () => {
    for (const socket of open) socket.destroy()
  })
  const target = new URL(`${base}/websocket`)
  const send = target.protocol === 'https:' ? requestHttps : requestHttp

  serveUpgrade(app, '/chain/rpc/websocket', (request, socket, head) => {
    const network = clientNetworkOf(request.socket.remoteAddress ?? '')
    const count = byNetwork.get(network) ?? 0
    // Behind a proxy all callers have one address; the proxy limits them.
    if ((count >= MAX_SOCKETS_PER_NETWORK && !behindProxy) || open.size >= MAX_SOCKETS)
      return refuseUpgrade(socket, 429)
    byNetwork.set(network, count + 1)
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      const left = (byNetwork.get(network) ?? 1) - 1
      if (left > 0) byNetwork.set(network, left)
      else byNetwork.delete(network)
    })
    const { 'sec-websocket-key': key, 'sec-websocket-version': version } = request.headers
    const upstream = send(target, {
      timeout: TIMEOUT_MS,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        ...(key && { 'sec-websocket-key': key }),
        ...(version && { 'sec-websocket-version': version }),
      },
    })
    socket.once('close', () => upstream.destroy())
    upstream.on('timeout', () => upstream.destroy())
    upstream.on('error', () => refuseUpgrade(socket, 502))
    upstream.on('response', () => refuseUpgrade(socket, 502))
    upstream.on('upgrade', (answer, remote, remoteHead) => {
      remote.setTimeout(0)
      remote.on('error', () => socket.destroy())
      socket.once('close', () => remote.destroy())
      remote.once('close', () => socket.destroy())
      const accept = answer.headers['sec-websocket-accept'] ?? ''
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      )
      // No wallet sends this much over one connection.
      let received = head.length
      socket.on('data', (bytes: Buffer) => {
        received += bytes.length
        if (received > MAX_REQUEST_BYTES) socket.destroy()
      })
      if (remoteHead.length > 0) socket.write(remoteHead)
      if (head.length > 0) remote.write(head)
      remote.pipe(socket)
      socket.pipe(remote)
    })
    upstream.end()
  })
}
