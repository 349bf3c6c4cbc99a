import type { OutgoingHttpHeaders } from 'node:http'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import type { PlatformConfig } from '../config.ts'

/** The only page that other sites may embed: it has no actions, so clickjacking is harmless. */
const EMBEDDABLE = /^\/td-distributionstatus(?:\?|$)/

export async function addSecurityHeaders(
  app: FastifyInstance,
  environment: PlatformConfig['environment'],
): Promise<void> {
  const production = environment === 'production'
  const defaults = { strictTransportSecurity: production, contentSecurityPolicy: policy(production, "'none'") }
  const headers = await headersOf(defaults)
  const embeddable = await headersOf({
    ...defaults,
    contentSecurityPolicy: policy(production, '*'),
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    xFrameOptions: false,
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(EMBEDDABLE.test(request.url) ? embeddable : headers)
    done()
  })
}

/** The headers that helmet sets, computed once: per response, helmet costs as much as a small request (decision 20). */
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
  // Browsers transfer files directly from and to nodes, which are on other hosts.
  const nodes = production ? ['https:'] : ['http:', 'https:']
  return {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      // WebAssembly computes MD5 in a worker; `eval` stays forbidden.
      'script-src': ["'self'", "'wasm-unsafe-eval'"],
      'style-src': ["'self'"],
      'worker-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:', ...nodes],
      'media-src': ["'self'", 'blob:', ...nodes],
      'connect-src': ["'self'", ...nodes],
      // A PDF that this page has loaded and checked. Never what a node serves: nodes are strangers.
      'frame-src': ['blob:'],
      'font-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'self'"],
      'frame-ancestors': [frameAncestors],
      'form-action': ["'self'"],
    },
  }
}
