import { mkdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { errorText } from '@tidenet/contract'
import {
  createClock,
  createKeyedMutex,
  createLogger,
  type Logger,
  refuseBrokenRequest,
  requestLang,
  StartError,
} from '@tidenet/daemon'
import Fastify, { type FastifyInstance } from 'fastify'
import { openBlockedContents } from './blocked-contents.ts'
import type { NodeConfig } from './config.ts'
import { openContentStore } from './contents/content-store.ts'
import { openWriteAhead } from './contents/write-ahead.ts'
import { allowOtherOrigins } from './cors.ts'
import { serveCopies } from './downloads/copies.ts'
import type { Outgoing } from './downloads/outgoing.ts'
import { serveDownloads } from './downloads/routes.ts'
import { createWithheldParts } from './downloads/withheld-parts.ts'
import { createEndedShares } from './ended-shares.ts'
import { lockFolder } from './folder-lock.ts'
import { serveHealth } from './health.ts'
import { openIdentity } from './identity.ts'
import { noteLeaving } from './leaving/leaving.ts'
import { type Limiter, openLimiter } from './limits/limiter.ts'
import { createEarnings } from './local/earnings.ts'
import { type LocalPage, serveLocalPage } from './local/server.ts'
import type { LiveState } from './local/state.ts'
import { serveMetrics } from './metrics.ts'
import { requireMoved } from './move/marks.ts'
import { type Reach, startReach } from './reach/reach.ts'
import { serveReceived } from './received.ts'
import { asRefusal, Refusal, refuseAway, refuseLeaving } from './refusal.ts'
import { openServed } from './served.ts'
import { createServerLink, loadKeys, type ServerLink, ServerRefused, VERSION } from './server-link.ts'
import { readStats } from './stats.ts'
import { createRemovals } from './tasks/removals.ts'
import { startTasks } from './tasks/tasks.ts'
import { texts } from './texts.ts'
import { createTokens } from './tokens.ts'
import { createArriving } from './uploads/arriving.ts'
import { serveUploadBundles } from './uploads/bundles.ts'
import { serveJoins } from './uploads/join.ts'
import { openReceipts } from './uploads/receipts.ts'
import { serveUploads } from './uploads/routes.ts'
import { createSlots } from './uploads/slots.ts'
import { createUploads } from './uploads/store-upload.ts'
import { serveTus } from './uploads/tus.ts'
import { openTusSessions } from './uploads/tus-sessions.ts'
import { openUsedTokens } from './uploads/used-tokens.ts'
import { serveVia } from './via.ts'
import { waitFor } from './wait.ts'

/** A running storage node. */
export interface StorageNode {
  /** Listening address, `http://host:port`. */
  url: string
  port: number
  id: string
  /** Whether the server accepted it. */
  readonly registered: boolean
  /** Whether its owner allows it to update its program. */
  readonly allowsUpdates: boolean
  /** Uploads, downloads, copies and visitors of its relay that run now. */
  readonly transfers: number
  /** Refuses new transfers, and takes no work, while the program is about to be replaced. */
  hold(isHeld: boolean): void
  /** Finishes short transfers, reports counters, releases all resources. */
  stop(): Promise<void>
}

/** Wire 11.1: concurrent uploads; the others wait. */
const UPLOADS_AT_A_TIME = 5
/** How long a start waits for the first registration before it continues without it. */
const FIRST_REGISTRATION_MS = 5000
/** Interval at which a node with a wrong clock checks it again. */
const CLOCK_AGAIN_MS = 1000
/** How long a stop waits for running transfers. */
const LAST_TRANSFERS_MS = 2000

/**
 * Starts a node on its data folder and listens.
 * @throws StartError if the port is taken, another node uses the folder, or the key cannot be read
 */
export async function createNode(config: NodeConfig): Promise<StorageNode> {
  await mkdir(config.data, { recursive: true })
  await requireMoved(config.data)
  const unlock = await lockFolder(config.data)
  try {
    return await startNode(config, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

async function startNode(config: NodeConfig, unlock: () => Promise<void>): Promise<StorageNode> {
  const clock = config.clock ?? createClock()
  const log = createLogger('node', config.logLevel)
  const identity = await openIdentity(config.data, config.kind)
  const ended = createEndedShares()
  const blocked = await openBlockedContents(config.data, log)
  const tokens = createTokens({ nodeId: identity.id, clock, log, ended, blocked })
  await tokens.setKeys(await loadKeys(config.data))
  const ahead = await openWriteAhead({ folder: config.data, log })
  const limiter = await openLimiter({ data: config.data, now: clock.now, log })
  const capacity = () => Math.min(config.capacity, limiter.limits.space ?? config.capacity)
  const store = await openContentStore({ folder: config.data, capacity, ahead, now: clock.now, log })

  let url = ''
  let reachable: Reach | undefined
  const link = createServerLink({
    config,
    identity,
    tokens,
    clock,
    log,
    allowsUpdates: () => limiter.limits.updates !== false,
    url: () => config.url ?? reachable?.url ?? url,
  })
  const used = await openUsedTokens(config.data, clock.now)
  const receipts = await openReceipts({ data: config.data, link, log })
  const served = await openServed({ folder: join(config.data, 'served'), identity, link, clock, log })
  const slots = createSlots({ places: UPLOADS_AT_A_TIME, waiting: 100, timeoutMs: 30_000, aside: 100 })
  const contents = createKeyedMutex()
  const arriving = createArriving()
  const uploads = createUploads({ store, ahead, contents, used, receipts, arriving, identity, clock })
  const sessions = await openTusSessions({ store, uploads, used, arriving, clock, log })

  const app = createApp(log, config.trustProxy ?? '')
  refuseWhileAway(app, limiter)
  serveUploads(app, { tokens, uploads, slots })
  serveUploadBundles(app, { tokens, uploads, arriving, slots })
  serveTus(app, { tokens, sessions, slots })
  serveJoins(app, { store, tokens, blocked, uploads, used, slots, now: clock.now, log })
  const withheldParts = createWithheldParts({
    blocked,
    log,
    report: (root, { proof, blocked: part }, signal) =>
      link.call(
        'contains',
        {
          cid: root.toString(),
          blocks: proof.map((bytes) => bytes.toString('base64')),
          blocked: part.toString(),
        },
        { signal },
      ),
  })
  const wrapOutgoing = (out: Outgoing) => limiter.wrap(config.wrapOutgoing?.(out) ?? out)
  const downloads = serveDownloads(app, {
    store,
    tokens,
    ended,
    blocked,
    withheldParts,
    served,
    server: config.server,
    wrapOutgoing,
  })
  serveCopies(app, { store, tokens, blocked, served, wrapOutgoing })
  serveReceived(app, { tokens, served })
  const { privateNodes: privateToo, localAddress } = config
  const reach = { privateToo, ...(localAddress && { localAddress }) }
  serveVia(app, { tokens, reach })
  const stats = () =>
    readStats(store, capacity(), {
      uploads: slots.busy,
      downloads: downloads.active,
      receiveRate: uploads.receiveRate,
      sendRate: downloads.sendRate,
    })
  const earnings = createEarnings(link)
  serveHealth(app, identity)
  serveMetrics(app, async () => ({
    ...(await stats()),
    sent_bytes_total: served.total,
    receipts_waiting: receipts.waiting,
    ...relayMetrics(reachable),
  }))

  const closeUnused = watchConnections(app)
  const port = await listen(app, config)
  url = `http://${config.host === '0.0.0.0' ? '127.0.0.1' : config.host}:${port}`
  await firstRegistration(link, log, config.stopping)
  const page = await openPage(config, log, async () => ({
    id: identity.id,
    version: VERSION,
    portal: config.server,
    registered: link.registered,
    reach: reachable?.way ?? null,
    away: limiter.away ?? null,
    stats: await stats(),
    capacity: config.capacity,
    sent: limiter.sent,
    canUpdate: config.updates !== undefined,
    earnings: await earnings(),
  }))
  reachable = startReach({ config, identity, tokens, link, app, limiter, clock, log })
  const removals = createRemovals({ store, contents, receipts, log })
  const tasks = startTasks({
    link,
    store,
    removals,
    ended,
    blocked,
    arriving,
    reach,
    stats,
    limiter,
    onLeaving: (answer) => noteLeaving(config.data, answer, clock.now()),
    clock,
    log,
  })

  return {
    url,
    port,
    id: identity.id,
    get registered() {
      return link.registered
    },
    get allowsUpdates() {
      return limiter.limits.updates !== false
    },
    get transfers() {
      return slots.busy + downloads.active + tasks.pulling + (reachable?.counts().visitors ?? 0)
    },
    hold: limiter.hold,
    async stop() {
      await page?.stop()
      await tasks.stop()
      await reachable?.stop()
      const limit = setTimeout(() => app.server.closeAllConnections(), LAST_TRANSFERS_MS)
      closeUnused()
      await app.close()
      clearTimeout(limit)
      await sessions.stop()
      await receipts.stop()
      await served.stop()
      await limiter.stop()
      await used.close()
      await store.close()
      await ahead.stop()
      await unlock()
    },
  }
}

/** Without it the node works all the same. */
async function openPage(
  config: NodeConfig,
  log: Logger,
  live: () => Promise<LiveState>,
): Promise<LocalPage | undefined> {
  if (config.page === undefined) return undefined
  try {
    return await serveLocalPage({ data: config.data, port: config.page, live, log })
  } catch (error) {
    log.warn({ err: error }, 'the page of this device cannot be served; set TIDENET_NODE_PAGE')
    return undefined
  }
}

function relayMetrics(reach: Reach | undefined) {
  const { devices = 0, visitors = 0, bytes = 0 } = reach?.counts() ?? {}
  return { relay_devices: devices, relay_visitors: visitors, relay_bytes_total: bytes }
}

/** Continues if the server is unavailable, but not with a wrong clock: all tokens and proofs would be refused. */
async function firstRegistration(link: ServerLink, log: Logger, stopping?: AbortSignal): Promise<void> {
  const signal = stopping ?? new AbortController().signal
  const registration = link.register().catch((error: unknown) => {
    // The heartbeat tries again, and logs refusals.
    if (!link.skewed && !(error instanceof ServerRefused)) log.warn({ err: error }, 'not registered yet')
  })
  await Promise.race([registration, waitFor(FIRST_REGISTRATION_MS, signal)])
  while (link.skewed && !signal.aborted) {
    await waitFor(CLOCK_AGAIN_MS, signal)
    await link.register().catch(() => {})
  }
}

function createApp(log: Logger, trustProxy: string): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: trustProxy === '' ? false : trustProxy,
    // Idle timeout of a connection in either direction.
    connectionTimeout: 120_000,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
    clientErrorHandler: refuseBrokenRequest,
  })
  // Bodies are streams: each route reads its own.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  allowOtherOrigins(app)

  app.setErrorHandler((failure, request, reply) => {
    const error = asRefusal(failure)
    // Also if the whole body has arrived: unread bytes block the next request on the connection.
    if (!request.raw.readableEnded) drain(request.raw)
    reply.header('cache-control', 'no-store')
    if (error instanceof Refusal)
      return reply
        .code(error.status)
        .headers(error.headers)
        .send(error.body(requestLang(request)))
    const status = (error as { statusCode?: number }).statusCode
    if (status !== undefined && status < 500)
      return reply.code(status).send({ code: -1, err: 1001, msg: texts.badRequest[requestLang(request)] })
    // A disconnected client is not a failure, and cannot be answered.
    if (!request.raw.destroyed || request.raw.complete)
      log.error({ err: error, path: request.routeOptions.url }, 'a request failed')
    return reply.code(500).send({ code: -1, err: -1, msg: errorText('internal', requestLang(request)) })
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ code: -1, err: 1001, msg: errorText('notFound', requestLang(request)) }),
  )
  return app
}

/** Where uploads begin; those that have begun may finish. */
const UPLOAD_ROUTES = ['/uploadv2', '/upload', '/uploads', '/tus', '/join']

/** Clients that come anyway get their content elsewhere. The node still proves who it is, and shows its figures. */
function refuseWhileAway(app: FastifyInstance, limiter: Limiter): void {
  app.addHook('onRequest', async ({ method, routeOptions: { url } }) => {
    if (limiter.away && method !== 'OPTIONS' && url !== '/health' && url !== '/metrics') throw refuseAway()
    if (limiter.limits.leaving && method === 'POST' && UPLOAD_ROUTES.includes(url ?? '')) throw refuseLeaving()
  })
}

/** Reads and discards more of a refused body for a while, so that the sender can read the response before the connection is closed. */
function drain(request: IncomingMessage): void {
  request.on('error', () => {})
  request.resume()
  if (request.complete) return
  const limit = setTimeout(() => request.destroy(), 5000).unref()
  for (const over of ['end', 'close']) request.once(over, () => clearTimeout(limit))
}

/** Clients open connections in advance. One without any request counts as busy, and closing would wait for it. */
function watchConnections(app: FastifyInstance): () => void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

async function listen(app: FastifyInstance, config: NodeConfig): Promise<number> {
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new StartError(`The node cannot listen on ${config.host}:${config.port} (${code}). Set TIDENET_NODE_PORT.`)
    throw error
  }
  const address = app.server.address()
  return typeof address === 'object' && address ? address.port : config.port
}
