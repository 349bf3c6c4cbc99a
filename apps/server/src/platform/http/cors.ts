import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** The SDK runs on other origins, with a token in a header. It reads the rotated token. Cookies are never allowed. */
const API: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'POST', 'OPTIONS'],
  allowedHeaders: ['JwtAuthorization', 'Authorization', 'apiKey', 'Content-Type', 'lang', 'Team'],
  exposedHeaders: 'new-token',
  maxAge: 600,
  strictPreflight: false,
}

/** Allows other origins to call the API. Other routes opt in by `config.cors`. */
export async function allowOtherOrigins(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    delegator: ({ url }, done) =>
      done(null, url.startsWith('/api/') || url.startsWith('/link') ? API : { origin: false }),
  })
  // Responses do not depend on the origin.
  app.addHook('onRequest', (_, reply, done) => {
    reply.removeHeader('vary')
    done()
  })
}
