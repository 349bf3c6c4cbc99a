import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { Serving } from '@tidenet/daemon'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serveAccounts } from './accounts/routes.ts'
import { serveApiKeys } from './api-keys/routes.ts'
import { serveAssets } from './assets/routes.ts'
import type { Context } from './context.ts'
import { serveDownloads } from './downloads/routes.ts'
import { serveFolders } from './folders/routes.ts'
import { serveMailbox } from './mail/mailbox.ts'
import { serveNetwork } from './nodes/network-routes.ts'
import { serveNodeControl } from './nodes/routes.ts'
import { servePortal } from './portal.ts'
import { refuseEarly } from './refusals.ts'
import { createAuthenticate } from './sessions/authenticate.ts'
import type { CallerOf } from './sessions/callers.ts'
import { serveShares } from './shares/routes.ts'
import { serveTempFiles } from './temp-files/routes.ts'
import { serveTraces } from './traces/routes.ts'
import { serveUploads } from './uploads/routes.ts'
import { serveUsage } from './usage/routes.ts'

export type ServerServing = Serving<CallerOf<'public' | 'optional' | 'node' | 'any'>>

/** The HTTP side of the server: every operation of the contract, the portal's files, the API reader. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const { config, log } = context
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    trustProxy: config.trustProxy === '' ? false : config.trustProxy,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    forceCloseConnections: true,
    frameworkErrors: refuseEarly,
  })
  app.setErrorHandler(refuseEarly)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // WebAssembly alone, which names files by MD5 in a worker; no script may be made from text.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        workerSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...nodeOrigins(config.environment)],
        mediaSrc: ["'self'", 'blob:', ...nodeOrigins(config.environment)],
        connectSrc: ["'self'", ...nodeOrigins(config.environment)],
        frameSrc: ["'self'", 'blob:', ...nodeOrigins(config.environment)],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    strictTransportSecurity: config.environment === 'production',
    crossOriginEmbedderPolicy: false,
  })
  await app.register(cookie)
  await app.register(rateLimit, { global: false, keyGenerator: (request) => request.ip })
  // The SDK runs on other origins: they may call with a token in a header, and read the rotated one. Cookies are never involved.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.startsWith('/api/') && !request.url.startsWith('/link')) return
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'new-token')
    if (request.method === 'OPTIONS')
      return reply
        .header('access-control-allow-methods', 'GET, POST, OPTIONS')
        .header('access-control-allow-headers', 'JwtAuthorization, Authorization, apiKey, Content-Type, lang')
        .header('access-control-max-age', '600')
        .code(204)
        .send()
  })
  app.options('/api/*', (_, reply) => reply.code(204).send())

  const serving: ServerServing = { app, authenticate: createAuthenticate(context) }
  serveAccounts(serving, context)
  serveApiKeys(serving, context)
  serveFolders(serving, context)
  serveAssets(serving, context)
  serveUploads(serving, context)
  serveDownloads(serving, context)
  serveShares(serving, context)
  serveTempFiles(serving, context)
  serveUsage(serving, context)
  serveTraces(serving, context)
  serveNetwork(serving, context)
  serveNodeControl(serving, context)
  if (config.environment !== 'production' && config.smtpUrl === '') serveMailbox(app, context)
  await servePortal(app, context)
  return app
}

/** Bytes go straight between browser and nodes, which live on hosts of their own. */
const nodeOrigins = (environment: string): string[] => (environment === 'production' ? ['https:'] : ['http:', 'https:'])
