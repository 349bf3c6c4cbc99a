import { AppError, type contract, type Output, SPEECH_PER_DAY } from '@tidenet/contract'
import { DAY } from '../../platform/ago.ts'
import { type Context, type Db, now } from '../context.ts'
import { acceptsConnections, nameOf as engineName, engineOf } from './engine-of.ts'
import { isEngineAwaited } from './queue-repository.ts'
import * as repository from './repository.ts'
import { dayOf, nameOf } from './uploads.ts'
import { toWireTask, toWireTasks } from './wire.ts'

type Deps = Pick<Context, 'config' | 'db' | 'clock'>
type Operations = typeof contract.speech
type Task = Output<Operations['status']>

/** Whether recordings are transcribed now. `unreachable`: they are accepted and wait. */
export async function readEngineState(context: Deps): Promise<'none' | 'available' | 'unreachable'> {
  const engine = engineOf(context)
  if (!engine) return 'none'
  const [awaited, accepts] = await Promise.all([isEngineAwaited(context.db), acceptsConnections(engine)])
  return accepts && !awaited ? 'available' : 'unreachable'
}

export async function readAccount(context: Deps, userId: number): Promise<Output<Operations['account']>> {
  const at = now(context)
  const engine = engineOf(context)
  const [used, state] = await Promise.all([
    repository.countUses(context.db, userId, dayOf(at)),
    readEngineState(context),
  ])
  return {
    limit: SPEECH_PER_DAY,
    used,
    remaining: Math.max(0, SPEECH_PER_DAY - used),
    resets_at: new Date((Math.floor(at.getTime() / DAY) + 1) * DAY).toISOString(),
    engine: state,
    engine_name: engine ? engineName(engine) : '',
  }
}

/** @throws AppError speechUnknown, also if it belongs to another account */
export async function requireTask(db: Db, userId: number, id: string, lock?: 'lock'): Promise<repository.TaskRow> {
  const row = await (lock ? repository.lockTask(db, userId, id) : repository.findTask(db, userId, id))
  if (!row) throw new AppError('speechUnknown')
  return row
}

export const readStatus = async (context: Deps, userId: number, id: string): Promise<Task> => ({
  task: await toWireTask(context, await requireTask(context.db, userId, id)),
})

export const listUnfinished = async (context: Deps, userId: number): Promise<Output<Operations['check']>> => ({
  list: await toWireTasks(context, await repository.unfinishedTasks(context.db, userId)),
})

export async function listTasks(
  context: Deps,
  userId: number,
  { page, size }: { page: number; size: number },
): Promise<Output<Operations['list']>> {
  const [rows, total] = await Promise.all([
    repository.pageOfTasks(context.db, userId, page, size),
    repository.countAll(context.db, userId),
  ])
  return { total, list: await toWireTasks(context, rows) }
}

const isUnfinished = ({ state }: repository.TaskRow): boolean =>
  state === 'uploading' || state === 'processing' || state === 'transcribing'

/** The server that transcribes it notices when it renews its lease, and stops the engine. */
export async function cancel(context: Deps, userId: number, id: string): Promise<Task> {
  const row = await context.db.transaction(async (tx) => {
    const found = await requireTask(tx, userId, id, 'lock')
    if (!isUnfinished(found)) return found
    await repository.endTask(tx, found.no, 'cancelled', '', now(context))
    return requireTask(tx, userId, id)
  })
  return { task: await toWireTask(context, row) }
}

export async function rename(context: Deps, userId: number, id: string, name: string): Promise<Task> {
  const row = await requireTask(context.db, userId, id)
  await repository.renameTask(context.db, row.no, nameOf(name))
  return readStatus(context, userId, id)
}

/** @throws AppError speechUnknown, speechNoText */
export async function removeAudio(context: Deps, userId: number, id: string): Promise<Task> {
  const row = await context.db.transaction(async (tx) => {
    const found = await requireTask(tx, userId, id, 'lock')
    if (isUnfinished(found)) throw new AppError('speechNoText')
    await repository.deleteParts(tx, found.no)
    return requireTask(tx, userId, id)
  })
  return { task: await toWireTask(context, row) }
}

/** Deleting an unfinished one returns its use; a finished one stays used. */
export async function remove(context: Deps, userId: number, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const row = await repository.lockTask(tx, userId, id)
    if (!row) return
    if (isUnfinished(row)) await repository.endTask(tx, row.no, 'cancelled', '', now(context))
    await repository.deleteTask(tx, row.no)
  })
}
