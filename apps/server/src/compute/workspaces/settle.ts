import { setTimeout as wait } from 'node:timers/promises'
import { accountsOf } from '../../identity/index.ts'
import type { Db } from '../../platform/db/db.ts'
import { demandCluster } from '../clusters/clusters.ts'
import {
  askedOf,
  type ClusterDriver,
  ClusterError,
  type Size,
  type WorkloadSpec,
  type WorkspaceSpec,
} from '../clusters/driver.ts'
import { GB } from '../clusters/sizes.ts'
import { type Context, now } from '../context.ts'
import { openEnv } from './env.ts'
import {
  dropHold,
  findWorkspace,
  keepLines,
  letGo,
  takeWorkload,
  type WorkloadRow,
  type WorkspaceRow,
} from './repository.ts'

type Needs = Pick<Context, 'db' | 'clock' | 'keys' | 'clusters' | 'log'>

/** Nobody else is at a workload for so long; pulling an image takes its time. */
const HOLD = 10 * 60_000
/** Lines that are kept of a run that is over. */
const KEPT_LINES = 1000
const MADE_WITHIN = 60_000
const LOOK_AGAIN = 50

export const sizeOfWorkspace = ({ cpu, ram, storage }: WorkspaceRow): Size => ({
  cpu,
  memory: ram * GB,
  storage: storage * GB,
})

/** @throws when its account is gone */
export async function specOfWorkspace(db: Db, row: WorkspaceRow): Promise<WorkspaceSpec> {
  const owner = (await accountsOf(db, [row.user_id])).get(row.user_id)
  if (!owner) throw new Error(`the account of workspace ${row.id} is gone`)
  return { id: row.id, owner: owner.uid, size: sizeOfWorkspace(row) }
}

export const sizeOfWorkload = ({ cpu, memory, storage }: Pick<WorkloadRow, 'cpu' | 'memory' | 'storage'>) => ({
  cpu: cpu / 1000,
  memory,
  storage,
})

/** Refused before it ever ran: it takes nothing of its workspace until it is tried again. */
export const takesShare = ({ made, failure }: Pick<WorkloadRow, 'made' | 'failure'>): boolean =>
  made || (failure !== 'image' && failure !== 'full')

const specOfWorkload = ({ keys }: Pick<Context, 'keys'>, row: WorkloadRow): WorkloadSpec => ({
  id: row.id,
  name: row.name,
  image: row.image ?? undefined,
  command: row.command,
  env: openEnv(keys, row.id, row.env),
  ports: row.ports,
  size: sizeOfWorkload(row),
})

/** Failures that asking again does not mend. */
const FINAL = new Set(['full', 'image', 'unknown'])

/**
 * Makes of a workload what is wanted of it by now; also carried out twice, or by two at once, it comes to that.
 * @throws ClusterError when trying again may help
 */
export async function settleWorkload(context: Needs, id: string): Promise<void> {
  for (;;) {
    const at = now(context)
    const row = await takeWorkload(context.db, id, at, new Date(at.getTime() + HOLD))
    // Whoever holds it looks at the end whether something else was asked for.
    if (!row) return
    const failure = await carryOut(context, row).then(
      () => undefined,
      (error: unknown) => asFailure(error),
    )
    const final = failure === undefined || FINAL.has(failure.failure)
    const kept = await letGo(context.db, id, row.version, {
      done: final,
      made: failure === undefined && row.wanted === 'running',
      ...(failure && { failure: failure.failure === 'unknown' ? 'failed' : failure.failure, note: failure.message }),
    })
    if (kept === 0) {
      // Something else was asked for meanwhile.
      await dropHold(context.db, id)
      continue
    }
    if (failure && !final) throw failure
    return
  }
}

const asFailure = (error: unknown): ClusterError =>
  error instanceof ClusterError
    ? error
    : new ClusterError('failed', (error as Error).message ?? 'failed', { cause: error })

async function carryOut(context: Needs, row: WorkloadRow): Promise<void> {
  const workspace = await findWorkspace(context.db, row.workspace_id)
  if (!workspace) return
  const { driver } = demandCluster(context.clusters, workspace.cluster)
  const ref = { workspace: workspace.id, workload: row.id }
  if (row.wanted === 'removed') {
    await keepLog(context, driver, ref)
    return driver.remove(ref)
  }
  // What is suspended or gone is the workspace's own matter.
  if (workspace.state === 'suspended' || workspace.state === 'removed') return
  if (row.wanted === 'stopped')
    return driver.stop(ref).catch((error: unknown) => {
      if (!(error instanceof ClusterError) || error.failure !== 'unknown') throw error
    })
  const spec = specOfWorkload(context, row)
  const space = await specOfWorkspace(context.db, workspace)
  const present = (await driver.list(workspace.id)).find(({ workload }) => workload === row.id)
  const fits =
    present &&
    Math.round(present.size.cpu * 1000) === row.cpu &&
    present.size.memory === row.memory &&
    present.size.storage === row.storage &&
    // Of what was made before that was written down it is known whether it was changed since.
    (present.asked === undefined ? row.edited === 0 : present.asked === askedOf(spec))
  if (present && !fits) {
    await keepLog(context, driver, ref)
    await driver.resize(space, spec)
  }
  await driver.deploy(space, spec)
}

/** Keeps the last lines of a run before they are lost with what wrote them. */
export async function keepLog(
  context: Pick<Context, 'db' | 'clock'>,
  driver: ClusterDriver,
  ref: { workspace: string; workload: string },
): Promise<void> {
  const lines = await driver.logs(ref, { lines: KEPT_LINES }).catch(() => [])
  if (lines.length === 0) return
  const text = lines.map(({ at, text: line }) => `${at.toISOString()} ${line}\n`).join('')
  // PostgreSQL keeps no NUL.
  await keepLines(context.db, ref.workload, text.replaceAll('\0', ''), now(context))
}

/** Waits until a workload runs, or has failed. @throws ClusterError */
export async function untilRunning(driver: ClusterDriver, workspace: string, id: string): Promise<void> {
  for (const end = Date.now() + MADE_WITHIN; ; await wait(LOOK_AGAIN)) {
    const state = (await driver.list(workspace)).find(({ workload }) => workload === id)
    if (state?.state === 'running') return
    if (state?.state === 'failed') throw new ClusterError('failed', state.reason ?? `it ended with ${state.exitCode}`)
    if (Date.now() > end) throw new ClusterError('failed', 'It did not start in time.')
  }
}
