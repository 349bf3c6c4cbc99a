import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import { contract } from '@tidenet/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { clientNetworkOf } from '../attempts/attempts.ts'
import type { Context } from '../context.ts'
import type { Feature } from '../feature.ts'
import { allowOtherOrigins } from './cors.ts'
import { serveMetrics } from './metrics.ts'
import { refusalFor, refuseEarly } from './refusals.ts'
import { secure } from './security-headers.ts'
import type { ServerServing } from './serving.ts'

/** How long a caller may take to send what it has to say, ms; what is answered slowly, streams and sockets included, is not meant. */
export interface Receiving {
  headers: number
  request: number
  check: number
}

const RECEIVING: Receiving = { headers: 10_000, request: 30_000, check: 5000 }

/**
 * The HTTP server with what all features serve.
 * @throws when an operation of the contract is served by none
 */
export async function createHttp<C extends Context>(
  context: C,
  features: readonly Pick<Feature<C>, 'serve' | 'measure'>[],
  authenticate: ServerServing['authenticate'],
  receiving = RECEIVING,
): Promise<FastifyInstance> {
  const { config, log } = context
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    // Without a limit a body of a byte a minute holds its connection for ever.
    requestTimeout: receiving.request,
    http: { headersTimeout: receiving.headers, connectionsCheckingInterval: receiving.check },
    trustProxy: config.trustProxy === '' ? false : config.trustProxy,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    forceCloseConnections: true,
    frameworkErrors: refuseEarly,
  })
  app.setErrorHandler(refuseEarly)
  await secure(app, config.environment)
  await app.register(cookie)
  await app.register(rateLimit, { global: false, keyGenerator: (request) => clientNetworkOf(request.ip) })
  await allowOtherOrigins(app)
  serveMetrics(app, context, features)

  const served = new Set<string>()
  const serving: ServerServing = { app, authenticate, refusalFor, served }
  for (const { serve } of features) await serve?.(serving, context)
  const forgotten = Object.keys(contract).filter((duty) => !served.has(duty))
  if (forgotten.length > 0) throw new Error(`No feature serves these parts of the contract: ${forgotten.join(', ')}`)
  return app
}
