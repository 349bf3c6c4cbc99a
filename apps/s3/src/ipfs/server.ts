import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { isContentError } from '@tidenet/content'
import { clientNetworkOf, type Logger } from '@tidenet/daemon'
import { clientAddress } from '../client-address.ts'
import { type Listening, listen, untilGone } from '../listen.ts'
import { headOf, LISTED, pageAnswer } from './answer.ts'
import type { IpfsConfig } from './config.ts'
import { type Chosen, chooseAnswer } from './content.ts'
import { frontPage } from './pages.ts'
import { peerIdOf } from './peer-id.ts'
import { createPublished, refusalOfRead } from './published.ts'
import { Refusal } from './refusal.ts'
import { readIpfsRequest, splitTarget } from './request.ts'
import { type Peer, routed } from './routing.ts'
import { langOf, texts } from './texts.ts'

/** Requests that are answered at the same time, of all clients and of one network. */
const ACTIVE_MAX = 512
const ACTIVE_OF_CLIENT = 128
/** A running answer ends this long after its publication ended. */
const CHECK_MS = 5000
const READY_PATH = '/-/ready'

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Length, Content-Range, X-Ipfs-Path, X-Ipfs-Roots',
}
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Accept, Content-Type, If-None-Match, If-Range, Range, X-Requested-With',
  'access-control-max-age': '86400',
}

/** Starts the public gateway. It keeps nothing: any number can run side by side. */
export async function startIpfsGateway(
  config: IpfsConfig,
  { log, now = Date.now }: { log: Logger; now?: () => number },
): Promise<Listening> {
  const published = createPublished(config.server, config.secret, now)
  const addressOf = ({ socket, headers }: IncomingMessage): string =>
    clientAddress(socket.remoteAddress ?? '', [headers['x-forwarded-for'] ?? []].flat(), config.isProxy)
  const active = new Map<string, number>()
  let running = 0
  let peer: Peer = { id: peerIdOf(config.secret), addresses: config.addresses }

  const content = async (request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams) => {
    const { method = 'GET', headers } = request
    if (headers['service-worker'] !== undefined) throw new Refusal(400, texts.worker)
    const signal = untilGone(request, response)
    const ask = readIpfsRequest(path, query, headers.accept)
    const ip = addressOf(request)
    const visit = { ip, lang: langOf(headers['accept-language']), signal }
    const chosen = await chooseAnswer(published, ask, visit).catch((error: unknown) => {
      const isAbsent = error instanceof Refusal && error.status === 404
      throw isAbsent && /\bonly-if-cached\b/i.test(headers['cache-control'] ?? '')
        ? new Refusal(412, texts.notCached)
        : error
    })
    if ('location' in chosen) {
      response.writeHead(301, { location: chosen.location, 'cache-control': LISTED, 'content-length': '0' })
      return void response.end()
    }
    const { answer, roots } = chosen
    const head = headOf(answer, {
      method,
      range: headers.range,
      ifRange: headers['if-range'] as string | undefined,
      ifNoneMatch: headers['if-none-match'],
    })
    if (head.status === 416) throw new Refusal(416, texts.range, head.headers)
    response.writeHead(head.status, {
      vary: 'Accept',
      ...head.headers,
      'x-ipfs-path': `/ipfs/${[ask.cidText, ...ask.path].map(encodeURIComponent).join('/')}`,
      'x-ipfs-roots': roots.join(','),
    })
    if (!head.part) return void response.end()
    await send(response, chosen, head.part, { idleTimeout: config.idleTimeout, signal })
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request
    response.setHeader('x-content-type-options', 'nosniff')
    if (url === READY_PATH) return void response.end('ready\n')
    for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value)
    // Whatever follows such a request could be read as another one behind a proxy.
    if (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')
      throw new Refusal(400, texts.body, { connection: 'close' })
    if (method === 'OPTIONS') {
      response.writeHead(204, PREFLIGHT)
      return void response.end()
    }
    if (method !== 'GET' && method !== 'HEAD') throw new Refusal(405, texts.method, { allow: 'GET, HEAD, OPTIONS' })
    const { path, query } = splitTarget(url)
    if (path === '/') return front(request, response)
    if (path.startsWith('/ipfs/')) return content(request, response, path.slice('/ipfs/'.length), query)
    if (path === '/ipns' || path.startsWith('/ipns/')) throw new Refusal(501, texts.ipns)
    if (path.startsWith('/routing/v1/')) {
      const { type, body, cache } = await routed(published, peer, {
        path: path.slice('/routing/v1/'.length),
        query,
        accept: headers.accept,
      })
      response.writeHead(200, {
        'content-type': type,
        'content-length': Buffer.byteLength(body),
        'cache-control': cache,
        vary: 'Accept',
      })
      return void response.end(method === 'HEAD' ? undefined : body)
    }
    throw new Refusal(404, texts.badPath)
  }

  const front = async (request: IncomingMessage, response: ServerResponse) => {
    const lang = langOf(request.headers['accept-language'])
    const page = pageAnswer(frontPage(lang, config.server), `"front-${lang}"`, 'public, max-age=300')
    const head = headOf(page, { method: request.method ?? 'GET' })
    response.writeHead(head.status, head.headers)
    response.end(head.part ? page.body(head.part.start, head.part.end) : undefined)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const client = clientNetworkOf(addressOf(request))
    const own = (active.get(client) ?? 0) + 1
    active.set(client, own)
    running += 1
    try {
      if (running > ACTIVE_MAX || own > ACTIVE_OF_CLIENT)
        throw new Refusal(running > ACTIVE_MAX ? 503 : 429, texts.busy, { 'retry-after': '1' })
      await answer(request, response)
    } catch (error) {
      if (response.destroyed || request.socket.destroyed) return
      const refusal = refusalOfRead(error)
      if (!refusal && !isContentError(error)) log.error({ err: error }, 'a request failed')
      // What was sent cannot be taken back: the client sees that the answer ends early.
      if (response.headersSent) return void response.destroy()
      refuse(request, response, refusal ?? new Refusal(500, texts.failed))
    } finally {
      running -= 1
      const left = (active.get(client) ?? 1) - 1
      if (left > 0) active.set(client, left)
      else active.delete(client)
    }
  }

  const server = await listen(config, { large: false, maxHeaderSize: 16 * 1024 }, handle)
  const { port } = server
  if (peer.addresses.length === 0) peer = { ...peer, addresses: [ownAddress(config, port)] }
  return {
    port,
    async stop() {
      await server.stop()
      await published.stop()
    },
  }
}

function ownAddress({ host, tls }: Pick<IpfsConfig, 'host' | 'tls'>, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const kind = { 0: 'dns', 4: 'ip4', 6: 'ip6' }[isIP(name)] ?? 'dns'
  return `/${kind}/${name}/tcp/${port}/${tls ? 'tls/http' : 'http'}`
}

async function send(
  response: ServerResponse,
  { answer, isCurrent }: Chosen,
  { start, end }: { start: number; end: number },
  { idleTimeout, signal }: { idleTimeout: number; signal: AbortSignal },
): Promise<void> {
  const body = answer.body(start, end)
  if (body instanceof Uint8Array) return void response.end(body)
  // A client that takes nothing would keep blocks in memory for ever.
  response.setTimeout(idleTimeout, () => response.destroy())
  const check = setInterval(() => {
    isCurrent().then(
      (current) => current || response.destroy(),
      () => {},
    )
  }, CHECK_MS)
  try {
    await pipeline(body, response, { signal })
  } finally {
    clearInterval(check)
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, text, headers }: Refusal): void {
  const body = `${text[langOf(request.headers['accept-language'])]}\n`
  response.writeHead(status, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    // What is not served now can be published at any time.
    'cache-control': 'no-store',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
