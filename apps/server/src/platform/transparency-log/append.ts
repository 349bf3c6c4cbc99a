import { type Context, now } from '../context.ts'
import type { Db } from '../db/db.ts'
import { type Entry, packBundle, unpackBundle } from './bundles.ts'
import { keepPublished, requirePublished } from './published.ts'
import * as repository from './repository.ts'
import { signReceipt } from './sign.ts'
import { appendLeaves, EMPTY_ROOT, edgePlaces, LogDamaged, leafHash, rootOf, TILE_HASHES, tilesFrom } from './tree.ts'

type Deps = Pick<Context, 'db' | 'clock' | 'keys' | 'config' | 'log'>

/** Receipts per transaction. */
const BATCH = 4096
/** Signatures at a time, so that other work of the thread pool does not wait for a whole batch. */
const SIGNATURES = 64

/** Appends all queued receipts. If another server is appending, it returns at once. */
export async function appendQueued(context: Deps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && !(await repository.isQueueEmpty(context.db))) {
    const appended = await context.db.transaction((tx) => appendBatch(context, tx))
    if (!appended) return
    await keepPublished(context, appended).catch((error: unknown) => {
      context.log.warn({ err: error }, 'the newest checkpoint of the log could not be written to the data folder')
    })
    if (appended.count < BATCH) return
  }
}

/** The new leaves, their claims, the new size and root, and the end of their time in the queue are one transaction. @returns undefined if there was nothing to do */
async function appendBatch(context: Deps, tx: Db): Promise<(repository.LogState & { count: number }) | undefined> {
  const { keys } = context
  const at = now(context)
  const state = await lockOrCreate(tx, keys.log, at)
  if (!state) return undefined
  await requirePublished(context, tx, state)
  const queued = await repository.firstQueued(tx, BATCH)
  if (queued.length === 0) return undefined
  const edge = tilesFrom(await repository.findTiles(tx, keys.log, edgePlaces(state.size)))
  // Whatever was signed before must stay true.
  if (!rootOf(edge, state.size).equals(state.root))
    throw new LogDamaged(`its tiles do not lead to the root of size ${state.size}`)

  const entries = queued.map(({ id, claims, issued_at }) => ({
    id,
    claims,
    iat: Math.floor(issued_at.getTime() / 1000),
  }))
  const leaves: Buffer[] = []
  for (let from = 0; from < entries.length; from += SIGNATURES) {
    const some = entries.slice(from, from + SIGNATURES)
    const signed = await Promise.all(some.map((entry, place) => signReceipt(keys, entry, state.size + from + place)))
    leaves.push(...signed.map(leafHash))
  }
  const tiles = appendLeaves(edge, state.size, leaves)
  const size = state.size + leaves.length
  await repository.saveTiles(tx, keys.log, tiles)
  await appendClaims(tx, keys.log, state.size, entries)
  const unchanged = await repository.findTiles(tx, keys.log, edgePlaces(size))
  const root = rootOf(tilesFrom(unchanged), size)
  await repository.updateState(tx, keys.log, { size, root }, at)
  const ids = queued.map(({ id }) => id)
  if ((await repository.deleteQueued(tx, ids)) !== ids.length) throw new Error('queued receipts disappeared')
  return { size, root, count: queued.length }
}

/** @returns undefined if another server has locked it */
async function lockOrCreate(tx: Db, log: string, at: Date): Promise<repository.LogState | undefined> {
  const state = await repository.lockState(tx, log)
  if (state) return state
  await repository.insertState(tx, log, EMPTY_ROOT, at)
  return repository.lockState(tx, log)
}

async function appendClaims(tx: Db, log: string, size: number, added: readonly Entry[]): Promise<void> {
  const first = Math.floor(size / TILE_HASHES)
  const last = size % TILE_HASHES === 0 ? undefined : await repository.findBundle(tx, log, first)
  const known = last ? unpackBundle(last.claims) : []
  if (known.length !== size % TILE_HASHES) throw new LogDamaged(`bundle ${first} does not fit size ${size}`)
  const entries = [...known, ...added]
  const bundles: repository.Bundle[] = []
  for (let from = 0; from < entries.length; from += TILE_HASHES) {
    const some = entries.slice(from, from + TILE_HASHES)
    const ids = some.map(({ id }) => id)
    bundles.push({
      number: first + from / TILE_HASHES,
      from: Math.min(...ids),
      to: Math.max(...ids),
      claims: await packBundle(some),
    })
  }
  await repository.saveBundles(tx, log, bundles)
}
