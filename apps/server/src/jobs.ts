import { run, type TaskList, Logger as WorkerLogger } from 'graphile-worker'
import { releaseContents } from './assets/release.ts'
import type { Context } from './context.ts'
import type { Db } from './db/db.ts'
import { sql } from './db/sql.ts'
import { sendMail } from './mail/send.ts'

/** Work that is written in the transaction that makes it necessary and done afterwards, at least once. */
export interface Jobs {
  sendMail: { mail: number }
  releaseContents: { cids: readonly string[] }
}

/** Adds a job in the caller's transaction: it exists exactly when the transaction is committed. */
export async function addJob<J extends keyof Jobs & string>(tx: Db, name: J, payload: Jobs[J]): Promise<void> {
  await tx.run(
    sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, max_attempts => 8)`,
  )
}

/** Carries out jobs; several servers share them, each is taken once. */
export async function startJobs(context: Context): Promise<() => Promise<void>> {
  const tasks: { [J in keyof Jobs]: (payload: Jobs[J]) => Promise<void> } = {
    sendMail: ({ mail }) => sendMail(context, mail),
    releaseContents: ({ cids }) => context.db.transaction((tx) => releaseContents(context, tx, cids)),
  }
  const runner = await run({
    pgPool: context.db.pool,
    concurrency: 2,
    noHandleSignals: true,
    pollInterval: 5000,
    taskList: tasks as unknown as TaskList,
    logger: quiet(context),
  })
  return () => runner.stop()
}

/** The worker's log in ours; what it says of every job stays at debug. */
const quiet = ({ log }: Pick<Context, 'log'>) =>
  new WorkerLogger(() => (level, message, meta) => {
    if (level === 'error' || level === 'warning') log.warn({ err: meta?.error }, message)
    else log.debug(message)
  })
