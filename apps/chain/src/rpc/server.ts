import Fastify, { type FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Chain } from '../chain.ts'
import { parseQuery } from '../query.ts'
import { isMet } from '../transaction-index.ts'
import { call, methodNames, type Params, RpcError, toWireBlock, toWireTransaction } from './json-rpc.ts'
import { serveRest } from './rest.ts'

interface RpcRequest {
  jsonrpc?: unknown
  id?: unknown
  method?: unknown
  params?: unknown
}

/** Most calls per batch, and subscriptions per connection. */
const BATCH = 100
const SUBSCRIPTIONS = 10
const LARGEST_BODY = 4_000_000

/**
 * Serves the chain: JSON-RPC at `/` (POST, GET by method, websocket at `/websocket`) and the REST API for wallets below `/rest`. Also below
 * `/chain`, as the portal forwards requests.
 */
export async function serveChain(
  chain: Chain,
  listen: { host: string; port: number },
): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = Fastify({ bodyLimit: LARGEST_BODY, forceCloseConnections: true, routerOptions: { maxParamLength: 5000 } })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-private-network': 'true',
      'cache-control': 'no-store',
    })
    if (request.method === 'OPTIONS') return reply.code(204).send()
  })
  // Some clients omit or misstate the content type.
  app.addContentTypeParser(['application/json', 'text/plain', '*'], { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string))
    } catch {
      done(null, undefined)
    }
  })

  app.post('/', (request) => {
    if (!Array.isArray(request.body)) return answer(chain, request.body as RpcRequest | undefined)
    if (request.body.length > BATCH) return failure(null, new RpcError(-32602, `at most ${BATCH} calls at once`))
    return request.body.map((call) => answer(chain, call as RpcRequest))
  })
  for (const method of methodNames)
    app.get<{ Querystring: Record<string, string> }>(`/${method}`, ({ query }) =>
      answer(chain, { id: -1, method, params: unquoted(query) }),
    )
  app.get('/', () => ({ chain: chain.genesis.chainId, methods: methodNames }))
  await app.register(async (rest) => serveRest(rest, chain), { prefix: '/rest' })

  const sockets = serveWebsocket(app, chain)
  const url = await app.listen(listen)
  return {
    url,
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await app.close()
    },
  }
}

const success = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id: id ?? null, result })
const failure = (id: unknown, { code, message, data }: RpcError) => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: { code, message, data },
})

function answer(chain: Chain, request: RpcRequest | undefined) {
  const id = request?.id
  if (typeof request?.method !== 'string') return failure(id, new RpcError(-32602, 'method is missing'))
  try {
    return success(id, call(chain, request.method, (request.params ?? {}) as Params))
  } catch (error) {
    return failure(id, error instanceof RpcError ? error : new RpcError(-32603, (error as Error).message))
  }
}

/** In URLs strings are quoted, and bytes have the prefix 0x. */
const unquoted = (query: Record<string, string>): Params =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key, value.replace(/^"(.*)"$/, '$1')]))

function serveWebsocket(app: FastifyInstance, chain: Chain): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_BODY })
  app.server.on('upgrade', (request, socket, head) => {
    if (!/^(\/chain\/rpc)?\/websocket$/.test(request.url ?? '')) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (opened) => follow(chain, opened))
  })
  return sockets
}

function follow(chain: Chain, socket: WebSocket): void {
  const subscriptions = new Map<string, unknown>()
  const sendEvent = (id: unknown, query: string, type: string, value: unknown, events: Record<string, string[]>) =>
    socket.send(JSON.stringify(success(id, { query, data: { type: `tendermint/event/${type}`, value }, events })))
  const stop = chain.listen((block, transactions) => {
    for (const [query, id] of subscriptions) {
      if (/tm\.event\s*=\s*'NewBlock(Header)?'/.test(query))
        sendEvent(id, query, 'NewBlock', toWireBlock(chain, block), { 'tm.event': ['NewBlock'] })
      if (!/tm\.event\s*=\s*'Tx'/.test(query) || transactions.length === 0) continue
      for (const found of transactions.filter((tx) => parseQuery(query).every((condition) => isMet(condition, tx)))) {
        const { height, index, tx, tx_result } = toWireTransaction(found)
        sendEvent(
          id,
          query,
          'Tx',
          { TxResult: { height, index, tx, result: tx_result } },
          {
            'tm.event': ['Tx'],
            'tx.hash': [found.hash],
            'tx.height': [height],
          },
        )
      }
    }
  })
  socket.on('close', stop)
  socket.on('error', () => socket.terminate())
  socket.on('message', (data) => {
    let request: RpcRequest
    try {
      request = JSON.parse(String(data)) as RpcRequest
    } catch {
      return socket.send(JSON.stringify(failure(null, new RpcError(-32602, 'the message is not JSON'))))
    }
    const query = String((request.params as { query?: unknown } | undefined)?.query ?? '')
    if (request.method === 'subscribe') {
      if (subscriptions.size >= SUBSCRIPTIONS)
        return socket.send(
          JSON.stringify(failure(request.id, new RpcError(-32603, `at most ${SUBSCRIPTIONS} subscriptions`))),
        )
      subscriptions.set(query, request.id)
    } else if (request.method === 'unsubscribe') subscriptions.delete(query)
    else if (request.method === 'unsubscribe_all') subscriptions.clear()
    else return socket.send(JSON.stringify(answer(chain, request)))
    return socket.send(JSON.stringify(success(request.id, {})))
  })
}
