import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** The SDK runs on other origins: they may call with a token in a header, and read the rotated one. Cookies are never involved. */
const PROGRAMS: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'POST', 'OPTIONS'],
  allowedHeaders: ['JwtAuthorization', 'Authorization', 'apiKey', 'Content-Type', 'lang'],
  exposedHeaders: 'new-token',
  maxAge: 600,
  strictPreflight: false,
}

/** Opens the API to pages of other origins, and nothing else but routes that say so themselves by `config.cors`. */
export async function allowOtherOrigins(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    delegator: ({ url }, done) =>
      done(null, url.startsWith('/api/') || url.startsWith('/link') ? PROGRAMS : { origin: false }),
  })
  // Answers are the same for every origin: no cache needs one for each.
  app.addHook('onRequest', (_, reply, done) => {
    reply.removeHeader('vary')
    done()
  })
}
