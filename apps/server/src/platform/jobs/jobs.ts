import { setTimeout as sleep } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, runOnce, Logger as WorkerLogger } from 'graphile-worker'
import type { Context } from '../context.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { JobHandler } from './job.ts'

type Deps = Pick<Context, 'db' | 'log'>
type Features<C> = readonly { readonly jobs?: readonly JobHandler<C>[] }[]

/** How long after it ended by itself the runner is started again, ms. */
const AGAIN_MS = 2000

/**
 * Carries out jobs; several servers share them, each is taken once. The runner gives up when the database goes away at the wrong moment,
 * such as at the end of a job: then another one takes its place.
 */
export async function startJobs<C extends Deps>(context: C, features: Features<C>): Promise<() => Promise<void>> {
  const stopped = new AbortController()
  let runner: Runner | undefined
  const begin = async () => {
    const begun = await run({ ...howTo(context, features), concurrency: 2, pollInterval: 5000 })
    runner = begun
    begun.promise
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) context.log.warn({ err: error }, 'jobs have stopped, and are started again')
      })
      .then(async () => {
        runner = undefined
        while (!stopped.signal.aborted && !runner) {
          await sleep(AGAIN_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
          if (!stopped.signal.aborted) await begin().catch(() => {})
        }
      })
  }
  await begin()
  return async () => {
    stopped.abort()
    await runner?.stop()
  }
}

/** Carries out what there is to do now, and comes back. */
export const finishJobs = <C extends Deps>(context: C, features: Features<C>): Promise<void> =>
  runOnce(howTo(context, features))

function howTo<C extends Deps>(context: C, features: Features<C>): RunnerOptions {
  const handlers = features.flatMap(({ jobs = [] }) => jobs)
  return {
    pgPool: context.db.pool,
    noHandleSignals: true,
    taskList: Object.fromEntries(handlers.map(({ name, run }) => [name, (payload: unknown) => run(context, payload)])),
    logger: quiet(context),
  }
}

/** The worker's log in ours; what it says of every job stays at debug, as does a database that is away: that is said once, by the pool. */
const quiet = ({ log }: Pick<Deps, 'log'>) =>
  new WorkerLogger(() => (level, message, meta) => {
    const serious = level === 'error' || level === 'warning'
    if (serious && !isUnavailable(meta?.error)) log.warn({ err: meta?.error }, message)
    else log.debug(message)
  })
