import { describe, expect, it } from 'vitest'
import { CHUNK_SIZE, createFileHasher, fileOfLeaves, WIDTH } from './file.ts'
import { haveSameLeaves, joinedCid, leafDigests } from './joined.ts'
import { readFileLayout } from './leaves.ts'
import { countingBytes } from './seeded.fixture.ts'

const hashed = async (...pieces: Uint8Array[]) => {
  const hasher = createFileHasher()
  for (const piece of pieces) await hasher.update(piece)
  return hasher.finish()
}
const digestsOf = async (file: Awaited<ReturnType<typeof hashed>>) => {
  const nodes = new Map(file.inner.map(({ cid, bytes }) => [cid.toString(), bytes]))
  return leafDigests(
    await readFileLayout(file.cid, file.size, async (cid) => nodes.get(cid.toString()) ?? new Uint8Array()),
  )
}
const partOf = async (bytes: Uint8Array) => ({ cid: (await hashed(bytes)).cid.toString(), size: bytes.length })

describe('a file that consists of others', () => {
  it.each([
    ['of a leaf and a bit', [CHUNK_SIZE, 1]],
    ['of many leaves each', [4 * CHUNK_SIZE, 2 * CHUNK_SIZE, 3 * CHUNK_SIZE + 17]],
    ['of more leaves than one node has', [(WIDTH + 2) * CHUNK_SIZE, CHUNK_SIZE]],
  ])('has the CID of its bytes, computed from leaves: %s', async (_, sizes) => {
    const pieces = sizes.map((size, seed) => countingBytes(size, seed + 1))
    const whole = await hashed(...pieces)
    const parts = await Promise.all(pieces.map(partOf))
    expect(haveSameLeaves(parts)).toBe(true)
    expect((await joinedCid(parts, await digestsOf(whole))).toString()).toBe(whole.cid.toString())
    const again = await fileOfLeaves(await digestsOf(whole), whole.size)
    expect(again.inner.map(({ cid }) => cid.toString())).toEqual(whole.inner.map(({ cid }) => cid.toString()))
  })

  it('has other leaves if a part but the last one ends within a leaf, or has no bytes', () => {
    const sizes = (...all: number[]) => all.map((size) => ({ cid: '', size }))
    expect(haveSameLeaves(sizes(CHUNK_SIZE + 1, CHUNK_SIZE))).toBe(false)
    expect(haveSameLeaves(sizes(CHUNK_SIZE, 0))).toBe(false)
    expect(haveSameLeaves(sizes(CHUNK_SIZE, CHUNK_SIZE + 1))).toBe(true)
  })

  it('is not what somebody says: other leaves, in another order, more or fewer', async () => {
    const pieces = [countingBytes(2 * CHUNK_SIZE, 1), countingBytes(CHUNK_SIZE, 2)]
    const parts = await Promise.all(pieces.map(partOf))
    const digests = await digestsOf(await hashed(...pieces))
    const other = digests.slice()
    other[40] = (other[40] ?? 0) ^ 1
    const swapped = new Uint8Array([...digests.subarray(32, 64), ...digests.subarray(0, 32), ...digests.subarray(64)])
    for (const wrong of [
      other,
      swapped,
      digests.subarray(32),
      new Uint8Array([...digests, ...digests.subarray(0, 32)]),
    ])
      await expect(joinedCid(parts, wrong)).rejects.toMatchObject({ code: 'mismatch' })
    await expect(joinedCid(parts.toReversed(), digests)).rejects.toMatchObject({ code: 'mismatch' })
  })
})
