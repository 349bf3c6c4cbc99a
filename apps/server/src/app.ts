import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import type { Serving } from '@tidenet/daemon'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serveClusters } from './compute/console/routes.ts'
import type { Context } from './context.ts'
import { serveApiKeys } from './identity/api-keys/routes.ts'
import { serveAccounts } from './identity/entry/routes.ts'
import { serveIdentities } from './identity/identities/routes.ts'
import { servePasskeys } from './identity/second-factors/passkeys-routes.ts'
import { serveSecondFactors } from './identity/second-factors/routes.ts'
import { createAuthenticate } from './identity/sessions/authenticate.ts'
import { serveSessionKeys } from './identity/sessions/jwks.ts'
import { serveSessions } from './identity/sessions/routes.ts'
import { serveWallets } from './identity/wallets/routes.ts'
import { serveNodeControl } from './network/control/routes.ts'
import { serveDevices } from './network/devices/routes.ts'
import { serveExplorer } from './network/explorer/routes.ts'
import { serveNetwork } from './network/nodes/network-routes.ts'
import { serveAdmin } from './operator/admin/routes.ts'
import { serveAnalytics } from './operator/analytics/routes.ts'
import { serveLeads } from './operator/leads/routes.ts'
import { serveChain } from './payments/chain/routes.ts'
import { serveFaucet } from './payments/faucet/routes.ts'
import { serveOrders } from './payments/orders/routes.ts'
import { serveRewards } from './payments/rewards/routes.ts'
import { networkOf } from './platform/guesses/attempts.ts'
import type { CallerOf } from './platform/http/callers.ts'
import { refusalFor, refuseEarly } from './platform/http/refusals.ts'
import { isEmbeddable, securityHeaders } from './platform/http/security-headers.ts'
import { serveMailbox } from './platform/mail/mailbox.ts'
import { serveReleases } from './portal/releases/routes.ts'
import { servePortal } from './portal/site/routes.ts'
import { serveDownloads } from './storage/downloads/routes.ts'
import { serveAssets } from './storage/files/routes.ts'
import { serveFolders } from './storage/folders/routes.ts'
import { serveShares } from './storage/shares/routes.ts'
import { serveTempFiles } from './storage/temp-files/routes.ts'
import { serveTraces } from './storage/traces/routes.ts'
import { serveTrash } from './storage/trash/routes.ts'
import { serveUploads } from './storage/uploads/routes.ts'
import { serveUsage } from './storage/usage/routes.ts'

export type ServerServing = Serving<CallerOf<'public' | 'optional' | 'node' | 'console' | 'any'>>

/** How long a caller may take to send what it has to say, ms; what is answered slowly, streams and sockets included, is not meant. */
const RECEIVING = { headers: 10_000, request: 30_000, check: 5000 }

/** The HTTP side of the server: every operation of the contract, the portal's files, the API reader. */
export async function createApp(context: Context, receiving = RECEIVING): Promise<FastifyInstance> {
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
  const secure = securityHeaders(config.environment)
  const embeddable = securityHeaders(config.environment, true)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isEmbeddable(request.url) ? embeddable : secure)
    done()
  })
  await app.register(cookie)
  await app.register(rateLimit, { global: false, keyGenerator: (request) => networkOf(request.ip) })
  // The SDK runs on other origins: they may call with a token in a header, and read the rotated one. Cookies are never involved.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/api/') && !request.url.startsWith('/link')) return done()
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', 'new-token')
    if (request.method !== 'OPTIONS') return done()
    reply
      .header('access-control-allow-methods', 'GET, POST, OPTIONS')
      .header('access-control-allow-headers', 'JwtAuthorization, Authorization, apiKey, Content-Type, lang')
      .header('access-control-max-age', '600')
      .code(204)
      .send()
  })
  app.options('/api/*', (_, reply) => reply.code(204).send())

  const serving: ServerServing = { app, authenticate: createAuthenticate(context), refusalFor }
  await serveSessionKeys(app, context)
  serveAccounts(serving, context)
  serveWallets(serving, context)
  serveIdentities(serving, context)
  serveOrders(serving, context)
  serveClusters(serving, context)
  serveSessions(serving, context)
  serveSecondFactors(serving, context)
  servePasskeys(serving, context)
  serveApiKeys(serving, context)
  serveFolders(serving, context)
  serveAssets(serving, context)
  serveTrash(serving, context)
  serveUploads(serving, context)
  serveDownloads(serving, context)
  serveShares(serving, context)
  serveTempFiles(serving, context)
  serveUsage(serving, context)
  serveTraces(serving, context)
  serveNetwork(serving, context)
  serveExplorer(serving, context)
  await serveChain(serving, context)
  serveFaucet(serving, context)
  serveDevices(serving, context)
  serveRewards(serving, context)
  serveLeads(serving, context)
  serveAnalytics(serving, context)
  serveReleases(serving)
  serveAdmin(serving, context)
  serveNodeControl(serving, context)
  if (config.environment !== 'production' && config.smtpUrl === '') serveMailbox(app, context)
  await servePortal(serving, context)
  return app
}
