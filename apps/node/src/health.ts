import type { NodeStats } from '@tidenet/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Identity } from './identity.ts'
import { Refusal } from './refusal.ts'
import { VERSION } from './server-link.ts'
import { texts } from './texts.ts'

/** `GET /health?nonce=`: the node proves that it is itself; `GET /metrics`: its numbers as Prometheus reads them. */
export function serveHealth(
  app: FastifyInstance,
  parts: { identity: Identity; stats: () => Promise<NodeStats>; counters: () => Record<string, number> },
): void {
  const { identity, stats, counters } = parts

  app.get('/health', async (request: FastifyRequest, reply) => {
    const { nonce = '' } = request.query as { nonce?: unknown }
    if (typeof nonce !== 'string' || nonce.length > 200) throw new Refusal(400, texts.nonce)
    reply.header('cache-control', 'no-store')
    const signature = identity.sign(`tidenet-health\n${identity.id}\n${nonce}`)
    return { node_id: identity.id, signature, version: VERSION }
  })

  app.get('/metrics', async (_request, reply) => {
    const values = { ...(await stats()), ...counters() }
    const lines = Object.entries(values).map(([name, value]) => {
      const kind = name.endsWith('_total') ? 'counter' : 'gauge'
      return `# TYPE tidenet_node_${name} ${kind}\ntidenet_node_${name} ${value}\n`
    })
    reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
    return lines.join('')
  })
}
