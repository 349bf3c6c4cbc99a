import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { publicKeys, renewSessionKeys } from './session-keys.ts'

/** Serves the public session keys. Makes sure that one exists before the first request. */
export async function serveSessionKeys(app: FastifyInstance, context: Context): Promise<void> {
  await renewSessionKeys(context)
  app.get('/.well-known/jwks.json', async (_, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .type('application/json')
      .send(await publicKeys(context)),
  )
}
