import type { AddressInfo } from 'node:net'
import { createClock, createLogger, StartError } from '@tidenet/daemon'
import { createApp } from './app.ts'
import { openClusters } from './compute/clusters/clusters.ts'
import { findValidSessions } from './compute/console/console-sessions.ts'
import { startIngress } from './compute/ingress/start.ts'
import { workspaces } from './compute/workspaces/offer.ts'
import type { Config } from './config.ts'
import { features, withExpiry } from './features.ts'
import { startNames } from './network/certificates/start.ts'
import { DEFENDED } from './network/policy.ts'
import { chainOf } from './payments/chain/chain.ts'
import { readDatabaseTime } from './platform/db/database-time.ts'
import { createDb } from './platform/db/db.ts'
import { migrateWhenReady } from './platform/db/migrate-when-ready.ts'
import { isUnavailable } from './platform/db/unavailable.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import { deriveKeys } from './platform/keys.ts'
import { startTasks } from './platform/tasks/tasks.ts'
import type { Context } from './portal/context.ts'
import { demand } from './storage/contents/demand.ts'

export interface RunningServer {
  ready: { url: string; port: number }
  context: Context
  stop(): Promise<void>
  /** Tests move the time; the offset is in ms. */
  onClock(offsetMs: number): void
}

/**
 * Starts the configured roles. Waits for the database if it is not ready yet.
 * @param stopping aborts that wait
 */
export async function startServer(config: Config, stopping?: AbortSignal): Promise<RunningServer> {
  const log = createLogger('server', config.logLevel)
  const clock = createClock()
  let moved = 0
  const db = createDb(config.databaseUrl, { log })
  let origin = config.publicUrl
  const keys = await deriveKeys(config.secret)
  const context: Context = {
    config,
    db,
    clock,
    databaseTime: async () => (await readDatabaseTime(db)) + moved,
    log,
    chain: chainOf(config.chain),
    clusters: openClusters({ config, keys, log }),
    workspaces,
    demand,
    policy: DEFENDED,
    keys,
    portalUrl: () => origin,
  }
  const onClock = (offsetMs: number) => {
    moved = offsetMs
    clock.move(offsetMs)
  }
  const cleanups: (() => Promise<unknown>)[] = [() => db.close(), () => context.clusters.close()]
  const stop = async () => {
    for (const cleanup of cleanups.splice(0).reverse())
      await cleanup().catch((error: unknown) => log.warn({ err: error }, 'could not stop cleanly'))
  }
  try {
    await migrateWhenReady(db, { log, stopping })
    const app = await createApp(context)
    cleanups.push(() => app.close())
    await app.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE'
        ? new StartError(`Port ${config.port} on ${config.host} is taken. Choose another one with TIDENET_PORT.`)
        : error
    })
    const { port } = app.server.address() as AddressInfo
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
    origin ||= url
    cleanups.push((await startNames(context)).stop)
    if (config.roles.includes('ingress')) cleanups.push((await startIngress(context, findValidSessions)).stop)
    if (config.roles.includes('jobs')) cleanups.push(await startJobs(context, features))
    cleanups.push(startTasks(context, withExpiry))
    return { ready: { url, port }, context, stop, onClock }
  } catch (error) {
    await stop()
    if (isUnavailable(error))
      throw new StartError('The database went away while the server started. Start the server again.')
    throw error
  }
}
