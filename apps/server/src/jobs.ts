import { type RunnerOptions, run, runOnce, type TaskList, Logger as WorkerLogger } from 'graphile-worker'
import { releaseContents } from './assets/release.ts'
import { settleWorkload } from './clusters/settle.ts'
import type { Context } from './context.ts'
import type { Db } from './db/db.ts'
import { sql } from './db/sql.ts'
import { sendMail } from './mail/send.ts'
import { advanceOrder } from './orders/advance.ts'

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

/** Carries out jobs; several servers share them, each is taken once. */
export async function startJobs(context: Context): Promise<() => Promise<void>> {
  const runner = await run({ ...howTo(context), concurrency: 2, pollInterval: 5000 })
  return () => runner.stop()
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

/** The worker's log in ours; what it says of every job stays at debug. */
const quiet = ({ log }: Pick<Context, 'log'>) =>
  new WorkerLogger(() => (level, message, meta) => {
    if (level === 'error' || level === 'warning') log.warn({ err: meta?.error }, message)
    else log.debug(message)
  })
