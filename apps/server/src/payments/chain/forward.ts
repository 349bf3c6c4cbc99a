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
 * Passes what wallets ask on to the chain, under the portal's own address: nothing else has to be open to browsers, and no page speaks
 * with another site. Only ever to the addresses of the configuration; nothing of the caller but the question goes along.
 */

const LARGEST_QUESTION = 1024 * 1024
const LARGEST_ANSWER = 16 * 1024 * 1024
const PATIENCE_MS = 15_000
/** Questions a minute and network. */
const A_MINUTE = 1200
/** Open websockets of one network, and of all. */
const SOCKETS_OF_NETWORK = 20
const SOCKETS = 1000
/** Below the address no other host or folder can be named. */
const PATH = /^(\/[\w.,:=%+~-]*)*$/

/** Wallets are extensions and programs of other origins; what a chain says is open to everybody. */
const WALLETS: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'POST', 'OPTIONS'],
  allowedHeaders: ['content-type'],
  maxAge: 600,
  strictPreflight: false,
  // What cors does not know is added below.
  preflightContinue: true,
}

export async function forwardChain(
  app: FastifyInstance,
  { log, config: server }: Pick<Context, 'log' | 'config'>,
  { rpc, rest }: ChainConfig,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: LARGEST_QUESTION }, (_, body, done) =>
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
    const config = { rateLimit: { max: A_MINUTE, timeWindow: 60_000 }, cors: WALLETS }
    for (const [prefix, bases, away] of [
      ['/chain/rpc', rpc, rpcAway],
      ['/chain/rest', rest === '' ? [] : [rest], restAway],
    ] as const)
      for (const url of [prefix, `${prefix}/*`])
        scope.route({
          method: ['GET', 'POST', 'OPTIONS'],
          url,
          config,
          bodyLimit: LARGEST_QUESTION,
          exposeHeadRoute: false,
          handler: async (request, reply) => {
            const path = request.url.slice(prefix.length)
            const answered = await passOn(request, reply, bases, path === '' ? '/' : path)
            if (answered) return reply
            log.warn({ path: prefix }, 'the chain does not answer')
            return away(reply, bases.length === 0)
          },
        })
  })
  if (rpc[0]) forwardWebsocket(app, rpc[0], server.trustProxy !== '')
}

const rpcAway = (reply: FastifyReply) =>
  reply.code(502).send({
    jsonrpc: '2.0',
    id: -1,
    error: { code: -32603, message: 'Internal error', data: 'the chain does not answer' },
  })
/** gRPC's numbers: unavailable, unimplemented. */
const restAway = (reply: FastifyReply, never: boolean) =>
  never
    ? reply.code(501).send({ code: 12, message: 'Not Implemented', details: [] })
    : reply.code(502).send({ code: 14, message: 'the chain does not answer', details: [] })

/** Asks one address after the other; false when none answers. */
async function passOn(
  request: FastifyRequest,
  reply: FastifyReply,
  bases: readonly string[],
  pathAndQuery: string,
): Promise<boolean> {
  const [path = '', query] = pathAndQuery.split(/\?(.*)/s)
  if (!PATH.test(path) || path.includes('//') || leadsUp(path)) {
    reply.code(400).send({ code: 3, message: 'the path is not right', details: [] })
    return true
  }
  for (const base of bases) {
    try {
      const answer = await fetch(`${base}${path}${query === undefined ? '' : `?${query}`}`, {
        method: request.method,
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: request.method === 'POST' ? { 'content-type': 'application/json' } : {},
        ...(request.method === 'POST' && { body: (request.body as string | undefined) ?? '' }),
      })
      const { status } = answer
      // A node that is being restarted behind its own proxy, or sends us elsewhere.
      if (status === 502 || status === 503 || status === 504 || (status >= 300 && status < 400)) continue
      const bytes = await bounded(answer)
      if (!bytes) continue
      reply.code(status).type('application/json; charset=utf-8').send(bytes)
      return true
    } catch {
      // The next one.
    }
  }
  return false
}

/** Slashes may be encoded, as in questions to contracts; what goes up from there may not. */
function leadsUp(path: string): boolean {
  const plain = path.replace(/%(2e|2f|5c)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return /(^|[/\\])\.\.?([/\\]|$)/.test(plain) || plain.includes('\\')
}

/** The body, undefined when it is larger than anything a wallet asks for. */
async function bounded(answer: Response): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  if (answer.body)
    for await (const part of answer.body) {
      size += part.length
      if (size > LARGEST_ANSWER) return undefined
      parts.push(part)
    }
  return Buffer.concat(parts)
}

/** Joins the caller's websocket with one of the chain. The first address alone: whoever loses the connection opens another. */
function forwardWebsocket(app: FastifyInstance, base: string, behindProxy: boolean): void {
  const open = new Set<Duplex>()
  const byNetwork = new Map<string, number>()
  app.addHook('preClose', async () => {
    for (const socket of open) socket.destroy()
  })
  const target = new URL(`${base}/websocket`)
  const ask = target.protocol === 'https:' ? requestHttps : requestHttp

  serveUpgrade(app, '/chain/rpc/websocket', (request, socket, head) => {
    const network = clientNetworkOf(request.socket.remoteAddress ?? '')
    const count = byNetwork.get(network) ?? 0
    // Behind a proxy all come from one address; the proxy is where they are told apart.
    if ((count >= SOCKETS_OF_NETWORK && !behindProxy) || open.size >= SOCKETS) return refuseUpgrade(socket, 429)
    byNetwork.set(network, count + 1)
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      const left = (byNetwork.get(network) ?? 1) - 1
      if (left > 0) byNetwork.set(network, left)
      else byNetwork.delete(network)
    })
    const { 'sec-websocket-key': key, 'sec-websocket-version': version } = request.headers
    const onward = ask(target, {
      timeout: PATIENCE_MS,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        ...(key && { 'sec-websocket-key': key }),
        ...(version && { 'sec-websocket-version': version }),
      },
    })
    socket.once('close', () => onward.destroy())
    onward.on('timeout', () => onward.destroy())
    onward.on('error', () => refuseUpgrade(socket, 502))
    onward.on('response', () => refuseUpgrade(socket, 502))
    onward.on('upgrade', (answer, far, farHead) => {
      far.setTimeout(0)
      far.on('error', () => socket.destroy())
      socket.once('close', () => far.destroy())
      far.once('close', () => socket.destroy())
      const accept = answer.headers['sec-websocket-accept'] ?? ''
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      )
      // Who asks that much over one connection is no wallet.
      let asked = head.length
      socket.on('data', (bytes: Buffer) => {
        asked += bytes.length
        if (asked > LARGEST_QUESTION) socket.destroy()
      })
      if (farHead.length > 0) socket.write(farHead)
      if (head.length > 0) far.write(head)
      far.pipe(socket)
      socket.pipe(far)
    })
    onward.end()
  })
}
