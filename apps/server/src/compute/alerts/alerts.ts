import { notify } from '../../identity/index.ts'
import { type Context, now } from '../context.ts'
import { alertEmail } from './emails.ts'
import { addAlert, findProblems, type Problem, seeAgain } from './repository.ts'

export { problemsOf } from './repository.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'portalUrl'>

/** Tells owners once of each problem of their programs: a disk or memory that is nearly full, restarts without success, failed health checks. */
export async function alertOfPrograms(context: Deps, signal?: AbortSignal): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined && !signal?.aborted; ) {
    const at = now(context)
    const { problems, last } = await findProblems(context.db, after, at)
    await seeAgain(
      context.db,
      problems.filter(({ told }) => told),
      at,
    )
    for (const problem of problems) if (!problem.told) await tell(context, problem, at)
    after = last
  }
}

const tell = (context: Deps, problem: Problem, at: Date): Promise<void> =>
  context.db.transaction(async (tx) => {
    if (!(await addAlert(tx, problem, at))) return
    const page = `${context.portalUrl()}/console/workloads/${problem.id}`
    await notify(context, tx, problem.user_id, 'programs', (lang) => alertEmail(lang, problem, page))
  })
