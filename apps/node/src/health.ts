import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Identity } from './identity.ts'
import { Refusal } from './refusal.ts'
import { VERSION } from './server-link.ts'
import { texts } from './texts.ts'

/** `GET /health?nonce=`: the node proves its identity. */
export function serveHealth(app: FastifyInstance, identity: Identity): void {
  app.get('/health', async (request: FastifyRequest, reply) => {
    const { nonce = '' } = request.query as { nonce?: unknown }
    if (typeof nonce !== 'string' || nonce.length > 200) throw new Refusal(400, texts.nonce)
    reply.header('cache-control', 'no-store')
    const signature = identity.sign(`tidenet-health\n${identity.id}\n${nonce}`)
    return { node_id: identity.id, signature, version: VERSION }
  })
}
