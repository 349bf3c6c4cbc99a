import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { PlatformConfig } from '../config.ts'

/** The one page that other sites may show in a frame: it acts for nobody, so there is nothing to trick people into. */
const EMBEDDABLE = /^\/td-distributionstatus(?:\?|$)/

/** Has every answer tell a browser what it may do with it. */
export async function secure(app: FastifyInstance, environment: PlatformConfig['environment']): Promise<void> {
  const production = environment === 'production'
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: policy(production, "'none'"),
    ...(!production && { strictTransportSecurity: false }),
  })
  const embeddable: FastifyHelmetOptions = {
    contentSecurityPolicy: policy(production, '*'),
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    xFrameOptions: false,
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.helmet(EMBEDDABLE.test(request.url) ? embeddable : undefined)
    done()
  })
}

function policy(production: boolean, frameAncestors: string) {
  // Bytes go straight between browser and nodes, which live on hosts of their own.
  const nodes = production ? ['https:'] : ['http:', 'https:']
  return {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      // WebAssembly alone, which names files by MD5 in a worker; no script may be made from text.
      'script-src': ["'self'", "'wasm-unsafe-eval'"],
      'style-src': ["'self'"],
      'worker-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:', ...nodes],
      'media-src': ["'self'", 'blob:', ...nodes],
      'connect-src': ["'self'", ...nodes],
      'frame-src': ["'self'", 'blob:', ...nodes],
      'font-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'self'"],
      'frame-ancestors': [frameAncestors],
      'form-action': ["'self'"],
    },
  }
}
