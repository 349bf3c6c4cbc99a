import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  appendLeaves,
  edgePlaces,
  HASH_BYTES,
  inclusionPath,
  LogDamaged,
  leafHash,
  placesOfPath,
  rootOf,
  rootOfPath,
  TILE_HASHES,
  type Tile,
  tilesFrom,
} from './tree.ts'

const sha256 = (...parts: Uint8Array[]) => parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest()

/** RFC 9162, as it is written. */
function definedRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256()
  if (leaves.length === 1) return leaves[0] as Buffer
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  return sha256(Buffer.from([1]), definedRoot(leaves.slice(0, half)), definedRoot(leaves.slice(half)))
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => leafHash(`leaf ${index}`))

/** Appends in steps of these sizes, keeping only what a database would keep. */
function grow(leaves: readonly Buffer[], step: (size: number) => number) {
  const tiles = new Map<string, Tile>()
  for (let size = 0; size < leaves.length; ) {
    const some = leaves.slice(size, size + step(size))
    for (const tile of appendLeaves(tilesFrom([...tiles.values()]), size, some))
      tiles.set(`${tile.level}/${tile.number}`, tile)
    size += some.length
  }
  return tiles
}

describe('the Merkle tree', () => {
  it('hashes leaves as RFC 9162 says', () => {
    expect(leafHash('jws')).toEqual(sha256(Buffer.from([0]), Buffer.from('jws')))
    expect(rootOf(tilesFrom([]), 0)).toEqual(sha256())
  })

  it.each([1, 2, 3, 255, 256, 257, 511, 512, 513, 66_000])(
    'has the defined root with %i leaves, however they were appended',
    (count) => {
      const leaves = leavesOf(count)
      const expected = definedRoot(leaves)
      for (const step of [() => count, () => 300, (size: number) => 1 + (size % 700)])
        expect(rootOf(tilesFrom([...grow(leaves, step).values()]), count)).toEqual(expected)
    },
  )

  it('proves every leaf at every size with the tiles that it names', () => {
    const leaves = leavesOf(66_000)
    const tiles = grow(leaves, () => 4096)
    const sizes = [1, 2, 7, 256, 257, 300, 512, 1000, 65_535, 65_536, 65_537, 66_000]
    for (const size of sizes) {
      const root = definedRoot(leaves.slice(0, size))
      for (const index of [0, 1, 255, 256, 257, 511, 65_535, 65_536, size - 1, Math.floor(size / 2)]) {
        if (index >= size) continue
        const found = placesOfPath(index, size).flatMap(({ level, number }) => tiles.get(`${level}/${number}`) ?? [])
        const path = inclusionPath(tilesFrom(found), index, size)
        expect(rootOfPath(leaves[index] as Buffer, index, size, path)).toEqual(root)
        expect(rootOfPath(randomBytes(32), index, size, path)).not.toEqual(root)
      }
    }
  })

  it('proves the same with tiles of an earlier version, without the roots of groups', () => {
    const leaves = leavesOf(1000)
    const tiles = [...grow(leaves, () => 1000).values()]
    const earlier = tiles.map((tile) => ({ ...tile, hashes: tile.hashes.subarray(0, TILE_HASHES * HASH_BYTES) }))
    for (const index of [0, 31, 32, 200, 999])
      expect(inclusionPath(tilesFrom(earlier), index, 1000)).toEqual(inclusionPath(tilesFrom(tiles), index, 1000))
  })

  it('needs only the last tile of each level to grow', () => {
    const leaves = leavesOf(1000)
    const tiles = grow(leaves, () => 1000)
    const edge = edgePlaces(1000).map(({ level, number }) => tiles.get(`${level}/${number}`) as Tile)
    const added = appendLeaves(tilesFrom(edge), 1000, leavesOf(30))
    expect(added.map(({ level, number }) => `${level}/${number}`)).toEqual(['0/3', '0/4', '1/0'])
  })

  it('refuses tiles that are missing or too short', () => {
    const tiles = [...grow(leavesOf(600), () => 600).values()]
    expect(() => rootOf(tilesFrom(tiles.slice(1)), 100)).toThrow(LogDamaged)
    expect(() => rootOf(tilesFrom([{ level: 0, number: 0, hashes: Buffer.alloc(32) }]), 2)).toThrow(LogDamaged)
  })
})
