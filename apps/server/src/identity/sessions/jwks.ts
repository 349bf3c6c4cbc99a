import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { publicKeys, renewSessionKeys } from './session-keys.ts'

/** Tells everybody the public keys of sessions, and sees to it that there is one before the first call. */
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
