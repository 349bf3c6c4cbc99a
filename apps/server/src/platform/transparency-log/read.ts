import type { Context } from '../context.ts'
import type { Keys } from '../keys.ts'
import { type Entry, findEntry } from './bundles.ts'
import * as repository from './repository.ts'
import { signCheckpoint, signReceipt } from './sign.ts'
import {
  EMPTY_ROOT,
  HASH_BYTES,
  inclusionPath,
  LogDamaged,
  leafHash,
  type Memo,
  placesOfPath,
  rootOfPath,
  TILE_HASHES,
  tilesFrom,
} from './tree.ts'

type Deps = Pick<Context, 'db' | 'keys'>

/** The size of the log and its root. */
export type LogSize = repository.LogState

export interface FoundReceipt extends Entry {
  /** Its leaf, and the log that contains it. Undefined: it is not in the log yet. */
  logged: { index: number; log: LogSize } | undefined
}

/** Finds a receipt by its id. Receipts of a log with another name, from before the secret changed, are not found. */
export async function findReceipt({ db, keys }: Deps, id: number): Promise<FoundReceipt | undefined> {
  for (const { number, claims, issued_at, bundle, size, root } of await repository.findById(db, keys.log, id)) {
    if (claims && issued_at) return { id, claims, iat: Math.floor(issued_at.getTime() / 1000), logged: undefined }
    const found = bundle && findEntry(bundle, id)
    if (!found || size === null || root === null) continue
    const { place, ...entry } = found
    return { ...entry, logged: { index: number * TILE_HASHES + place, log: { size, root } } }
  }
  return undefined
}

const memos = new WeakMap<Keys, Memo>()

function memoOf(keys: Keys): Memo {
  const memo = memos.get(keys) ?? new Map()
  memos.set(keys, memo)
  return memo
}

export interface ProvenReceipt {
  receipt: string
  proof: { index: number; size: number; hashes: string[] }
  checkpoint: string
}

/**
 * A receipt with the proof that it is in the log. @param log size and root, now or earlier
 * @throws LogDamaged if the log does not contain it
 */
export async function proveReceipt(
  { db, keys }: Deps,
  entry: Entry,
  { index, log: { size, root } }: { index: number; log: LogSize },
): Promise<ProvenReceipt> {
  const receipt = await signReceipt(keys, entry, index)
  const tiles = tilesFrom(await repository.findTiles(db, keys.log, placesOfPath(index, size)))
  const memo = memoOf(keys)
  const isProof = (hashes: readonly Buffer[]) => rootOfPath(leafHash(receipt), index, size, hashes).equals(root)
  let path = inclusionPath(tiles, index, size, memo)
  if (!isProof(path)) {
    // The database may have been restored from a backup.
    memo.clear()
    path = inclusionPath(tiles, index, size, memo)
  }
  if (!isProof(path)) throw new LogDamaged(`receipt ${entry.id} does not lead to the root of size ${size}`)
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
