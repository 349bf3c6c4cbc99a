import { setTimeout as sleep } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, runOnce, Logger as WorkerLogger } from 'graphile-worker'
import type { Context } from '../context.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { JobHandler } from './job.ts'

type Deps = Pick<Context, 'db' | 'log'>
type Features<C> = readonly { readonly jobs?: readonly JobHandler<C>[] }[]

/** Jobs that run at the same time. */
const AT_ONCE = 2
/** Slow jobs mostly wait. */
const SLOW_AT_ONCE = 16
/** Delay before a stopped runner is restarted. */
const RESTART_MS = 2000

/** Runs jobs; each is claimed by one of several servers. @returns a function that stops it */
export async function startJobs<C extends Deps>(context: C, features: Features<C>): Promise<() => Promise<void>> {
  const handlers = handlersOf(features)
  const usual = handlers.filter(({ slow }) => !slow)
  const slow = handlers.filter((handler) => handler.slow)
  const stops: (() => Promise<void>)[] = []
  if (usual.length > 0) stops.push(await startRunner(context, usual, AT_ONCE))
  if (slow.length > 0) stops.push(await startRunner(context, slow, SLOW_AT_ONCE))
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

/** The runner stops if the database becomes unavailable at certain moments, such as the end of a job, so it is restarted. */
async function startRunner<C extends Deps>(
  context: C,
  handlers: readonly JobHandler<C>[],
  concurrency: number,
): Promise<() => Promise<void>> {
  const stopped = new AbortController()
  let runner: Runner | undefined
  const start = async () => {
    const started = await run({ ...runnerOptions(context, handlers), concurrency, pollInterval: 5000 })
    runner = started
    started.promise
      .catch((error: unknown) => {
        if (!stopped.signal.aborted) context.log.warn({ err: error }, 'the job runner stopped; restarting it')
      })
      .then(async () => {
        runner = undefined
        while (!stopped.signal.aborted && !runner) {
          await sleep(RESTART_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
          if (!stopped.signal.aborted) await start().catch(() => {})
        }
      })
  }
  await start()
  return async () => {
    stopped.abort()
    await runner?.stop()
  }
}

/** Runs all jobs that are due now. */
export const finishJobs = <C extends Deps>(context: C, features: Features<C>): Promise<void> =>
  runOnce(runnerOptions(context, handlersOf(features)))

const handlersOf = <C>(features: Features<C>) => features.flatMap(({ jobs = [] }) => jobs)

function runnerOptions<C extends Deps>(context: C, handlers: readonly JobHandler<C>[]): RunnerOptions {
  return {
    pgPool: context.db.pool,
    noHandleSignals: true,
    taskList: Object.fromEntries(handlers.map(({ name, run }) => [name, (payload: unknown) => run(context, payload)])),
    logger: quietLogger(context),
  }
}

/** Messages about single jobs and an unavailable database are logged as debug; the pool warns about the database once. */
const quietLogger = ({ log }: Pick<Deps, 'log'>) =>
  new WorkerLogger(() => (level, message, meta) => {
    const serious = level === 'error' || level === 'warning'
    if (serious && !isUnavailable(meta?.error)) log.warn({ err: meta?.error }, message)
    else log.debug(message)
  })
