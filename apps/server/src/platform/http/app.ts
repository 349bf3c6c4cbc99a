import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import { contract } from '@tidenet/contract'
import { refuseBrokenRequest } from '@tidenet/daemon'
import Fastify, { errorCodes, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { clientNetworkOf } from '../attempts/attempts.ts'
import type { Context } from '../context.ts'
import type { Feature } from '../feature.ts'
import { allowOtherOrigins } from './cors.ts'
import { serveMetrics } from './metrics.ts'
import { refusalFor, refuseEarly } from './refusals.ts'
import { addSecurityHeaders } from './security-headers.ts'
import type { ServerServing } from './serving.ts'

/** Timeouts for receiving a request, ms. They do not limit responses, such as streams. */
export interface ReceiveTimeouts {
  headers: number
  request: number
  check: number
}

const RECEIVE_TIMEOUTS: ReceiveTimeouts = { headers: 10_000, request: 30_000, check: 5000 }

/**
 * Reads bodies without a type, and those that call JSON text, as JSON: some clients send it so. Pages of other sites can send such bodies without
 * asking, but gain nothing: no call is authorized by a cookie.
 */
function readUntypedJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, parse)
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    if (request.headers['content-type'] === undefined) parse(request, body as string, done)
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type']))
  })
}

/**
 * The HTTP server with the routes of all features.
 * @throws if no feature serves a module of the contract
 */
export async function createHttp<C extends Context>(
  context: C,
  features: readonly Pick<Feature<C>, 'serve' | 'measure'>[],
  { authenticate, authorize }: Pick<ServerServing, 'authenticate' | 'authorize'>,
  timeouts = RECEIVE_TIMEOUTS,
): Promise<FastifyInstance> {
  const { config, log } = context
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    // Cut off clients that send their body very slowly.
    requestTimeout: timeouts.request,
    http: { headersTimeout: timeouts.headers, connectionsCheckingInterval: timeouts.check },
    trustProxy: config.trustProxy === '' ? false : config.trustProxy,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    forceCloseConnections: true,
    frameworkErrors: refuseEarly,
    clientErrorHandler: refuseBrokenRequest,
  })
  readUntypedJson(app)
  app.setErrorHandler(refuseEarly)
  await addSecurityHeaders(app, config.environment)
  await app.register(cookie)
  await app.register(rateLimit, { global: false, keyGenerator: (request) => clientNetworkOf(request.ip) })
  await allowOtherOrigins(app)
  serveMetrics(app, context, features)

  const served = new Set<string>()
  const serving: ServerServing = { app, authenticate, authorize, refusalFor, served }
  for (const { serve } of features) await serve?.(serving, context)
  const missing = Object.keys(contract).filter((module) => !served.has(module))
  if (missing.length > 0) throw new Error(`No feature serves these modules of the contract: ${missing.join(', ')}`)
  return app
}
