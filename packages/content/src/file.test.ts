import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cidText, sameBytes } from './cid.ts'
import { createFileHasher, type FileHasherOptions } from './file.ts'
import { importFile } from './oracle.fixture.ts'
import { countingBytes, randomPieces, refusal, seededRandom } from './seeded.fixture.ts'

async function hashed(pieces: Iterable<Uint8Array>, options?: FileHasherOptions) {
  const hasher = createFileHasher(options)
  for (const piece of pieces) await hasher.update(piece)
  return hasher.finish()
}

/** Compares the CID and every inner node with those of another implementation. */
async function expectSame(bytes: Uint8Array, pieces: Iterable<Uint8Array>, options: FileHasherOptions = {}) {
  const ours = await hashed(pieces, options)
  const theirs = await importFile(bytes, options)
  expect(cidText(ours.cid)).toBe(theirs.cid.toString())
  expect(ours.size).toBe(bytes.length)
  for (const block of ours.inner) expect(sameBytes(block.bytes, theirs.blocks.get(cidText(block.cid))!)).toBe(true)
  const innerNodes = [...theirs.blocks.keys()].filter((cid) => cid.startsWith('bafybe'))
  expect(new Set(ours.inner.map((block) => cidText(block.cid)))).toEqual(new Set(innerNodes))
}

describe('the CID of a file', () => {
  it('is that of the empty raw block when the file is empty', async () => {
    const file = await hashed([])
    expect(cidText(file.cid)).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
    expect(file).toMatchObject({ size: 0, leaves: 1, inner: [] })
  })

  it.each([
    1,
    100,
    262_143,
    262_144,
    262_145,
    524_288,
    1_048_576,
    1_048_577,
    174 * 262_144,
    174 * 262_144 + 1,
    50_000_000,
  ])('agrees with the importer at %i bytes', async (size) => {
    const bytes = countingBytes(size)
    await expectSame(bytes, [bytes])
  })

  it('agrees with the importer for 250 random sizes, cuts, leaf sizes and widths', async () => {
    const random = seededRandom(1)
    for (let round = 0; round < 250; round++) {
      const chunkSize = 1 + Math.floor(random() * 64)
      const width = 2 + Math.floor(random() * 6)
      const bytes = countingBytes(Math.floor(random() ** 2 * 200 * chunkSize), round)
      await expectSame(bytes, randomPieces(bytes, 1 + Math.floor(random() * 300), random), { chunkSize, width })
    }
  })

  it('agrees with the importer for random sizes at the real leaf size', async () => {
    const random = seededRandom(2)
    for (let round = 0; round < 12; round++) {
      const bytes = countingBytes(Math.floor(random() * 5_000_000), round)
      await expectSame(bytes, randomPieces(bytes, 700_000, random))
    }
  })

  it('agrees with the importer on deep trees of two links', async () => {
    for (const leaves of [2, 3, 4, 5, 8, 9, 31, 32, 33, 255, 256, 257, 1025]) {
      const bytes = countingBytes(leaves * 16 - 5)
      await expectSame(bytes, [bytes], { chunkSize: 16, width: 2 })
    }
  })

  it('agrees with the vectors', async () => {
    const vectors = JSON.parse(readFileSync(new URL('../../../test/vectors/content.json', import.meta.url), 'utf8'))
    for (const { size, seed, cid, leaves } of vectors.files) {
      const file = await hashed([countingBytes(size, seed)])
      expect([cidText(file.cid), file.leaves]).toEqual([cid, leaves])
    }
  })

  it('does not depend on the caller keeping its buffer', async () => {
    const buffer = new Uint8Array(100_000)
    const hasher = createFileHasher()
    const bytes = countingBytes(1_000_000)
    for (let at = 0; at < bytes.length; at += buffer.length) {
      buffer.set(bytes.subarray(at, at + buffer.length))
      await hasher.update(buffer)
      buffer.fill(0)
    }
    expect((await hasher.finish()).cid).toEqual((await hashed([bytes])).cid)
  })

  it('refuses leaves and nodes of impossible sizes', async () => {
    expect(await refusal(() => createFileHasher({ chunkSize: 0 }))).toBe('too-large')
    expect(await refusal(() => createFileHasher({ chunkSize: 2_000_000 }))).toBe('too-large')
    expect(await refusal(() => createFileHasher({ width: 1 }))).toBe('too-large')
  })
})
