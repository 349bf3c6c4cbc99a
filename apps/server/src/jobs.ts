import { setTimeout as sleep } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, runOnce, type TaskList, Logger as WorkerLogger } from 'graphile-worker'
import { settleWorkload } from './compute/workspaces/settle.ts'
import type { Context } from './context.ts'
import { advanceOrder } from './payments/orders/advance.ts'
import { isAway } from './platform/db/away.ts'
import type { Db } from './platform/db/db.ts'
import { sql } from './platform/db/sql.ts'
import { sendMail } from './platform/mail/send.ts'
import { releaseContents } from './storage/contents/release.ts'

/** Work that is written in the transaction that makes it necessary and done afterwards, at least once. */
export interface Jobs {
  sendMail: { mail: number }
  releaseContents: { cids: readonly string[] }
  advanceOrder: { id: string }
  settleWorkload: { id: string }
}

/**
 * Adds a job in the caller's transaction: it exists exactly when the transaction is committed.
 * @param patience jobs of less patience go first; 0 when left out
 */
export async function addJob<J extends keyof Jobs & string>(
  tx: Db,
  name: J,
  payload: Jobs[J],
  patience = 0,
): Promise<void> {
  await tx.run(sql`
    select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, max_attempts => 8, priority => ${patience})`)
}

/** How long after it ended by itself the runner is started again, ms. */
const AGAIN_MS = 2000

/**
 * Carries out jobs; several servers share them, each is taken once. The runner gives up when the database goes away at the wrong moment,
 * such as at the end of a job: then another one takes its place.
 */
export async function startJobs(context: Context): Promise<() => Promise<void>> {
  const stopped = new AbortController()
  let runner: Runner | undefined
  const begin = async () => {
    const begun = await run({ ...howTo(context), concurrency: 2, pollInterval: 5000 })
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
export const finishJobs = (context: Context): Promise<void> => runOnce(howTo(context))

function howTo(context: Context): RunnerOptions {
  const tasks: { [J in keyof Jobs]: (payload: Jobs[J]) => Promise<void> } = {
    sendMail: ({ mail }) => sendMail(context, mail),
    releaseContents: ({ cids }) => context.db.transaction((tx) => releaseContents(context, tx, cids)),
    advanceOrder: ({ id }) => advanceOrder(context, id),
    settleWorkload: ({ id }) => settleWorkload(context, id),
  }
  return {
    pgPool: context.db.pool,
    noHandleSignals: true,
    taskList: tasks as unknown as TaskList,
    logger: quiet(context),
  }
}

/** The worker's log in ours; what it says of every job stays at debug, as does a database that is away: that is said once, by the pool. */
const quiet = ({ log }: Pick<Context, 'log'>) =>
  new WorkerLogger(() => (level, message, meta) => {
    const serious = level === 'error' || level === 'warning'
    if (serious && !isAway(meta?.error)) log.warn({ err: meta?.error }, message)
    else log.debug(message)
  })
