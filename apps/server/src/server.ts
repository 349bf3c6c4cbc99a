import type { AddressInfo } from 'node:net'
import { createClock, createLogger, every, StartError } from '@tidenet/daemon'
import { createApp } from './app.ts'
import { openClusters } from './compute/clusters/clusters.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { startJobs } from './jobs.ts'
import { chainOf } from './payments/chain/chain.ts'
import { payClaims } from './payments/faucet/pay.ts'
import { payRedemptions } from './payments/rewards/pay.ts'
import { isAway } from './platform/db/away.ts'
import { createDb } from './platform/db/db.ts'
import { migrateWhenThere } from './platform/db/wait.ts'
import { deriveKeys } from './platform/keys.ts'
import { startScheduler } from './scheduler.ts'

export interface RunningServer {
  ready: { url: string; port: number }
  context: Context
  stop(): Promise<void>
  /** Tests move the time; the offset is in ms. */
  onClock(offsetMs: number): void
}

/** Ms between rounds in which claims and redemptions are paid; those that come in between share a transaction. */
const PAY_EVERY = 1000

/**
 * Starts the duties that the configuration names, over one database, which may still be starting itself.
 * @param stopping ends the wait for the database
 */
export async function startServer(config: Config, stopping?: AbortSignal): Promise<RunningServer> {
  const log = createLogger('server', config.logLevel)
  const clock = createClock()
  const db = createDb(config.databaseUrl, { log })
  let origin = config.publicUrl
  const keys = await deriveKeys(config.secret)
  const context: Context = {
    config,
    db,
    clock,
    log,
    chain: chainOf(config.chain),
    clusters: openClusters({ config, keys, log }),
    keys,
    portalUrl: () => origin,
  }
  const stops: (() => Promise<unknown>)[] = [() => db.close(), () => context.clusters.close()]
  const stop = async () => {
    for (const end of stops.splice(0).reverse())
      await end().catch((error: unknown) => log.warn({ err: error }, 'did not stop cleanly'))
  }
  try {
    await migrateWhenThere(db, { log, stopping })
    const app = await createApp(context)
    stops.push(() => app.close())
    await app.listen({ host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE'
        ? new StartError(`Port ${config.port} on ${config.host} is taken. Choose another one with TIDENET_PORT.`)
        : error
    })
    const { port } = app.server.address() as AddressInfo
    const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
    origin ||= url
    if (config.roles.includes('jobs')) stops.push(await startJobs(context))
    if (config.roles.includes('jobs') && context.chain?.operator) {
      for (const [name, pay] of [
        ['claims', payClaims],
        ['redemptions', payRedemptions],
      ] as const) {
        const paying = every(PAY_EVERY, (signal) => pay(context, signal), { name, log })
        stops.push(() => paying.stop())
      }
    }
    if (config.roles.includes('scheduler')) stops.push(startScheduler(context))
    return { ready: { url, port }, context, stop, onClock: (offset) => clock.move(offset) }
  } catch (error) {
    await stop()
    if (isAway(error)) throw new StartError('The database went away while the server started. Start the server again.')
    throw error
  }
}
