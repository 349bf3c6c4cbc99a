import type { Context } from '../context.ts'
import { type Entry, unpackBundle } from './bundles.ts'
import * as repository from './repository.ts'
import { signCheckpoint, signReceipt } from './sign.ts'
import {
  EMPTY_ROOT,
  HASH_BYTES,
  inclusionPath,
  LogDamaged,
  leafHash,
  placesOfPath,
  rootOfPath,
  TILE_HASHES,
  tilesFrom,
} from './tree.ts'

type Deps = Pick<Context, 'db' | 'keys'>

/** The size of the log and its root. */
export type LogSize = repository.LogState

export interface FoundReceipt extends Entry {
  /** Undefined: it is not in the log yet. */
  index: number | undefined
}

/** Finds a receipt by its id. Receipts of a log with another name, from before the secret changed, are not found. */
export async function findReceipt({ db, keys }: Deps, id: number): Promise<FoundReceipt | undefined> {
  // First: it moves from the queue to the log, never back.
  const queued = await repository.findQueued(db, id)
  if (queued) {
    const { claims, issued_at } = queued
    return { id, claims, iat: Math.floor(issued_at.getTime() / 1000), index: undefined }
  }
  for (const { number, claims } of await repository.findBundlesOf(db, keys.log, id)) {
    const entries = unpackBundle(claims)
    const place = entries.findIndex((entry) => entry.id === id)
    const entry = entries[place]
    if (entry) return { ...entry, index: number * TILE_HASHES + place }
  }
  return undefined
}

export interface ProvenReceipt {
  receipt: string
  proof: { index: number; size: number; hashes: string[] }
  checkpoint: string
}

/**
 * A receipt with the proof that it is in the log. @param of a size and root that the log had; default: the current ones
 * @throws LogDamaged if the log does not contain it
 */
export async function proveReceipt(
  { db, keys }: Deps,
  entry: Entry & { index: number },
  of?: LogSize,
): Promise<ProvenReceipt> {
  const { index } = entry
  const { size, root } = of ?? (await currentSize({ db, keys }))
  const receipt = await signReceipt(keys, entry, index)
  const tiles = tilesFrom(await repository.findTiles(db, keys.log, placesOfPath(index, size)))
  const path = inclusionPath(tiles, index, size)
  if (!rootOfPath(leafHash(receipt), index, size, path).equals(root))
    throw new LogDamaged(`receipt ${entry.id} does not lead to the root of size ${size}`)
  return {
    receipt,
    proof: { index, size, hashes: path.map((hash) => hash.toString('base64')) },
    checkpoint: await signCheckpoint(keys, { size, root }),
  }
}

/** Size and root of the log; those of an empty one before the first receipt. */
export const currentSize = async ({ db, keys }: Deps): Promise<LogSize> =>
  (await repository.findState(db, keys.log)) ?? { size: 0, root: EMPTY_ROOT }

export const currentCheckpoint = async (context: Deps): Promise<string> =>
  signCheckpoint(context.keys, await currentSize(context))

/** The first `width` hashes of a tile. Undefined: it has fewer. */
export async function readTile(
  { db, keys }: Deps,
  { level, number, width }: { level: number; number: number; width: number },
): Promise<Buffer | undefined> {
  const [tile] = await repository.findTiles(db, keys.log, [{ level, number }])
  const length = width * HASH_BYTES
  return tile && tile.hashes.length >= length ? tile.hashes.subarray(0, length) : undefined
}
