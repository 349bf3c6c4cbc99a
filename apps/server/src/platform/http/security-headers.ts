import type { OutgoingHttpHeaders } from 'node:http'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import type { PlatformConfig } from '../config.ts'

/** The one page that other sites may show in a frame: it acts for nobody, so there is nothing to trick people into. */
const EMBEDDABLE = /^\/td-distributionstatus(?:\?|$)/

/** Has every answer tell a browser what it may do with it. */
export async function secure(app: FastifyInstance, environment: PlatformConfig['environment']): Promise<void> {
  const production = environment === 'production'
  const usual = { strictTransportSecurity: production, contentSecurityPolicy: policy(production, "'none'") }
  const headers = await headersOf(usual)
  const embeddable = await headersOf({
    ...usual,
    contentSecurityPolicy: policy(production, '*'),
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    xFrameOptions: false,
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(EMBEDDABLE.test(request.url) ? embeddable : headers)
    done()
  })
}

/** What helmet sets, read once: it puts everything together anew for every answer, as much work as a small call (decision 20). */
async function headersOf(options: FastifyHelmetOptions): Promise<OutgoingHttpHeaders> {
  const probe = Fastify()
  await probe.register(helmet, options)
  let headers: OutgoingHttpHeaders = {}
  probe.get('/', async (_, reply) => {
    headers = reply.raw.getHeaders()
  })
  await probe.inject('/')
  await probe.close()
  return headers
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
