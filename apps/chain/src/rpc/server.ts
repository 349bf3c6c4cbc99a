import Fastify from 'fastify'
import type { Chain } from '../chain.ts'
import { answer, failure, methodNames, type RpcRequest } from './json-rpc.ts'
import { type Params, RpcError } from './parameters.ts'
import { serveRest } from './rest.ts'
import { serveWebsocket } from './subscriptions.ts'

/** Most calls per batch. */
const BATCH = 100
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
    return Promise.all(request.body.map((call) => answer(chain, call as RpcRequest)))
  })
  for (const method of methodNames)
    app.get<{ Querystring: Record<string, string> }>(`/${method}`, ({ query }) =>
      answer(chain, { id: -1, method, params: unquoted(query) }),
    )
  app.get('/', () => ({ chain: chain.genesis.chainId, methods: methodNames }))
  await app.register(async (rest) => serveRest(rest, chain), { prefix: '/rest' })

  const sockets = serveWebsocket(app, chain, LARGEST_BODY)
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

/** In URLs strings are quoted, and bytes have the prefix 0x. */
const unquoted = (query: Record<string, string>): Params =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key, value.replace(/^"(.*)"$/, '$1')]))
