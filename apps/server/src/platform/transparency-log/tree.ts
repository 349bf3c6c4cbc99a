import { hash } from 'node:crypto'

/** The Merkle tree of RFC 9162, stored in tiles as in C2SP tlog-tiles: a tile of level L has up to 256 roots of subtrees of 256^L leaves. */

export const HASH_BYTES = 32
export const TILE_HASHES = 256
const GROUP_HASHES = 32
const GROUPS = TILE_HASHES / GROUP_HASHES

export interface Tile {
  level: number
  number: number
  /** At most 256 hashes, one after another. If it is complete, the roots above each 32 of them follow, unless it is of an earlier version. */
  hashes: Buffer
}

/** The hashes of a tile. @throws if it is missing */
export type Tiles = (level: number, number: number) => Buffer

const sha256 = (bytes: Uint8Array | string): Buffer => hash('sha256', bytes, 'buffer')

export const EMPTY_ROOT = sha256('')

export const leafHash = (jws: string): Buffer => sha256(`\0${jws}`)

const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1)

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  pair.set(left, 1)
  pair.set(right, 1 + HASH_BYTES)
  return sha256(pair)
}

const hashAt = (hashes: Buffer, at: number): Buffer => {
  const found = hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)
  if (found.length !== HASH_BYTES) throw new LogDamaged('a tile has too few hashes')
  return found
}

/** What is stored contradicts itself. */
export class LogDamaged extends Error {
  constructor(why: string) {
    super(`the transparency log is damaged: ${why}`)
  }
}

const scratch = Buffer.alloc(TILE_HASHES * HASH_BYTES)

/** Root of the complete subtree above `count` hashes of a tile, a power of two. */
function subtree(hashes: Buffer, from: number, count: number): Buffer {
  const hasGroups = hashes.length === (TILE_HASHES + GROUPS) * HASH_BYTES
  return hasGroups && count >= GROUP_HASHES
    ? pairUp(hashes, TILE_HASHES + from / GROUP_HASHES, count / GROUP_HASHES)
    : pairUp(hashes, from, count)
}

function pairUp(hashes: Buffer, from: number, count: number): Buffer {
  const last = hashAt(hashes, from + count - 1)
  if (count === 1) return last
  hashes.copy(scratch, 0, from * HASH_BYTES, (from + count) * HASH_BYTES)
  for (let nodes = count / 2; nodes >= 1; nodes /= 2)
    for (let at = 0; at < nodes; at++) {
      scratch.copy(pair, 1, 2 * at * HASH_BYTES, 2 * (at + 1) * HASH_BYTES)
      // Node.js makes a text three times as fast as a buffer.
      scratch.write(hash('sha256', pair, 'binary'), at * HASH_BYTES, 'binary')
    }
  return Buffer.from(scratch.subarray(0, HASH_BYTES))
}

/** A complete tile, with the roots above each group of its hashes. */
const withGroups = (hashes: Buffer): Buffer =>
  Buffer.concat([hashes, ...Array.from({ length: GROUPS }, (_, at) => pairUp(hashes, at * GROUP_HASHES, GROUP_HASHES))])

const largestPowerBelow = (count: number): number => {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/** Roots of ranges of leaves, which never change. */
export type Memo = Map<string, Buffer>

const MEMO_MAX = 10_000
/** Fewer hashes are computed again: cheaper than to remember them. */
const MEMO_HASHES = 16

function remember(memo: Memo, key: string, compute: () => Buffer): Buffer {
  const root = memo.get(key) ?? compute()
  // The oldest goes first.
  const [oldest = key] = memo.size >= MEMO_MAX ? memo.keys() : []
  memo.delete(oldest)
  memo.set(key, root)
  return root
}

/** Root of the leaves from `from` to `to`, as they are split by the tree. */
function rootOfRange(tiles: Tiles, from: number, to: number, memo: Memo): Buffer {
  const count = to - from
  const half = largestPowerBelow(count)
  if (count > 1 && half * 2 !== count)
    return remember(memo, `${from}-${to}`, () =>
      nodeHash(rootOfRange(tiles, from, from + half, memo), rootOfRange(tiles, from + half, to, memo)),
    )
  let level = 0
  let width = count
  let first = from
  while (width >= TILE_HASHES) {
    level++
    width /= TILE_HASHES
    first /= TILE_HASHES
  }
  const compute = () => subtree(tiles(level, Math.floor(first / TILE_HASHES)), first % TILE_HASHES, width)
  return level > 0 && width >= MEMO_HASHES ? remember(memo, `${from}-${to}`, compute) : compute()
}

export const rootOf = (tiles: Tiles, size: number): Buffer =>
  size === 0 ? EMPTY_ROOT : rootOfRange(tiles, 0, size, new Map())

/** The inclusion path of a leaf, from the leaf to the root. @param memo of this log */
export function inclusionPath(tiles: Tiles, index: number, size: number, memo: Memo = new Map()): Buffer[] {
  const path: Buffer[] = []
  for (let from = 0, to = size; to - from > 1; ) {
    const middle = from + largestPowerBelow(to - from)
    if (index < middle) {
      path.push(rootOfRange(tiles, middle, to, memo))
      to = middle
    } else {
      path.push(rootOfRange(tiles, from, middle, memo))
      from = middle
    }
  }
  return path.reverse()
}

/** The root that a leaf and its inclusion path lead to. */
export function rootOfPath(leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer {
  let node = leaf
  let last = size - 1
  let at = index
  for (const other of path) {
    while (at === last && at % 2 === 0 && last > 0) {
      at = Math.floor(at / 2)
      last = Math.floor(last / 2)
    }
    node = at % 2 === 1 ? nodeHash(other, node) : nodeHash(node, other)
    at = Math.floor(at / 2)
    last = Math.floor(last / 2)
  }
  return node
}

type Place = Pick<Tile, 'level' | 'number'>

/** The last tile of each level of a tree of this size, unless it is complete. */
export function edgePlaces(size: number): (Place & { width: number })[] {
  const places: (Place & { width: number })[] = []
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / TILE_HASHES)) {
    const width = count % TILE_HASHES
    if (width > 0) places.push({ level, number: Math.floor(count / TILE_HASHES), width })
  }
  return places
}

/** The tiles that an inclusion path needs. */
export function placesOfPath(index: number, size: number): Place[] {
  const places = new Map<string, Place>(
    edgePlaces(size).map(({ level, number }) => [`${level}/${number}`, { level, number }]),
  )
  for (let level = 0, at = index, last = size - 1; last > 0 || level === 0; level++) {
    at = Math.floor(at / TILE_HASHES)
    last = Math.floor(last / TILE_HASHES)
    places.set(`${level}/${at}`, { level, number: at })
  }
  return [...places.values()]
}

export function tilesFrom(found: readonly Tile[]): Tiles {
  const byPlace = new Map(found.map(({ level, number, hashes }) => [`${level}/${number}`, hashes]))
  return (level, number) => {
    const hashes = byPlace.get(`${level}/${number}`)
    if (!hashes) throw new LogDamaged(`tile ${level}/${number} is missing`)
    return hashes
  }
}

/**
 * Appends leaves to a tree.
 * @param edge the tiles of `edgePlaces(size)`
 * @returns every tile that is new or has changed
 */
export function appendLeaves(edge: Tiles, size: number, leaves: readonly Buffer[]): Tile[] {
  const tiles: Tile[] = []
  let added = leaves
  let before = size
  for (let level = 0; added.length > 0; level++) {
    let number = Math.floor(before / TILE_HASHES)
    const width = before % TILE_HASHES
    const known = width === 0 ? [] : [edge(level, number).subarray(0, width * HASH_BYTES)]
    const all = Buffer.concat([...known, ...added])
    const complete: Buffer[] = []
    for (let from = 0; from < all.length; from += TILE_HASHES * HASH_BYTES, number++) {
      const some = all.subarray(from, from + TILE_HASHES * HASH_BYTES)
      const isComplete = some.length === TILE_HASHES * HASH_BYTES
      const hashes = isComplete ? withGroups(some) : some
      tiles.push({ level, number, hashes })
      if (isComplete) complete.push(subtree(hashes, 0, TILE_HASHES))
    }
    added = complete
    before = Math.floor(before / TILE_HASHES)
  }
  return tiles
}
