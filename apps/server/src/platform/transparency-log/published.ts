import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { checkpointText, parseCheckpoint } from '@tidenet/receipts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import * as repository from './repository.ts'
import { EMPTY_ROOT, edgePlaces, LogDamaged, rootOf, tilesFrom } from './tree.ts'

/**
 * The newest checkpoint that this server appended, in its data folder: whoever restores the database from a backup makes the log shorter
 * than what monitors and the chain have seen. If it grew again from there, the network would have signed two logs.
 */

type Deps = Pick<Context, 'keys' | 'config'>

/** The log does not contain what was published. */
export class LogBehind extends LogDamaged {}

/** Undefined: servers without a data folder, in tests, keep nothing. */
const pathOf = ({ keys, config }: Deps): string | undefined =>
  config.data === '' ? undefined : join(config.data, 'log', `${keys.log}.checkpoint`)

async function readPublished(context: Deps): Promise<repository.LogState | undefined> {
  const path = pathOf(context)
  if (!path) return undefined
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const checkpoint = parseCheckpoint(text)
  if (checkpoint?.origin !== context.keys.log) throw new LogBehind(`${path} cannot be read`)
  return { size: checkpoint.size, root: Buffer.from(checkpoint.root) }
}

/** Remembers what was appended. Several servers may share a folder, and each writes what it appended last. */
export async function keepPublished(context: Deps, { size, root }: repository.LogState): Promise<void> {
  const path = pathOf(context)
  if (!path) return
  const known = await readPublished(context)
  if (known && known.size >= size) return
  await mkdir(join(path, '..'), { recursive: true })
  // Servers in containers can share the folder and have the same process id.
  const next = `${path}.${randomUUID()}`
  const file = await open(next, 'w')
  try {
    await file.writeFile(checkpointText({ origin: context.keys.log, size, root }))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}

/** @throws LogBehind if the log is shorter than what this server published, or another one */
export const requirePublished = async (context: Deps, db: Db, state: repository.LogState): Promise<void> =>
  requireContained(context, db, state, await readPublished(context))

async function requireContained(
  { keys }: Deps,
  db: Db,
  state: repository.LogState,
  known: repository.LogState | undefined,
): Promise<void> {
  if (!known) return
  if (state.size < known.size)
    throw new LogBehind(`it has ${state.size} receipts, but ${known.size} were published: an older backup was restored`)
  const rootThen = async () =>
    rootOf(tilesFrom(await repository.findTiles(db, keys.log, edgePlaces(known.size))), known.size)
  const root = state.size === known.size ? state.root : await rootThen()
  if (!root.equals(known.root))
    throw new LogBehind(`its first ${known.size} receipts are not those that were published`)
}

/** Receipts that are not in the log yet, the time of the oldest, and whether the log is not what this server published. */
export async function logFigures(
  context: Deps & { db: Db },
): Promise<{ waiting: number; oldest: Date | null; behind: boolean }> {
  const { db, keys } = context
  const contains = async () => {
    // Before the state: another server may append and write its checkpoint in between.
    const known = await readPublished(context)
    const state = (await repository.findState(db, keys.log)) ?? { size: 0, root: EMPTY_ROOT }
    await requireContained(context, db, state, known)
  }
  const behind = await contains().then(
    () => false,
    (error: unknown) => {
      if (error instanceof LogDamaged) return true
      throw error
    },
  )
  return { ...(await repository.countQueued(db)), behind }
}
