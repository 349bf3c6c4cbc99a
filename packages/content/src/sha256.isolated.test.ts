import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countingBytes, randomPieces, seededRandom } from './seeded.fixture.ts'
import type { ChunkDigester, OnDigest } from './sha256-digests.ts'

const platforms = [
  { name: 'node:crypto', load: () => import('./sha256.node.ts') },
  { name: 'WebCrypto', load: () => import('./sha256-browser.ts') },
  { name: 'wasm, on pages without WebCrypto', load: loadWithoutWebCrypto },
]

async function loadWithoutWebCrypto() {
  vi.stubGlobal('crypto', {})
  vi.resetModules()
  return import('./sha256-browser.ts')
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function digests(
  create: (size: number, onDigest: OnDigest) => ChunkDigester,
  chunkSize: number,
  pieces: Iterable<Uint8Array>,
) {
  const found: [string, number][] = []
  const digester = create(chunkSize, (digest, size) => found.push([hex(digest), size]))
  for (const piece of pieces) await digester.update(piece)
  await digester.end()
  return found
}

describe.each(platforms)('sha256 by $name', ({ load }) => {
  it('hashes bytes', async () => {
    const { sha256 } = await load()
    for (const size of [0, 1, 64, 1000, 262_144]) {
      const bytes = countingBytes(size)
      expect(hex(await sha256(bytes))).toBe(expected(bytes))
    }
  })

  it('hashes each chunk of a stream, for any chunk boundaries', async () => {
    const { createChunkDigester } = await load()
    const random = seededRandom(3)
    for (let round = 0; round < 60; round++) {
      const bytes = countingBytes(Math.floor(random() * 5000), round)
      const chunkSize = 1 + Math.floor(random() * 900)
      const chunks: [string, number][] = []
      for (let at = 0; at === 0 || at < bytes.length; at += chunkSize) {
        const chunk = bytes.subarray(at, at + chunkSize)
        chunks.push([expected(chunk), chunk.length])
      }
      expect(await digests(createChunkDigester, chunkSize, randomPieces(bytes, 1500, random))).toEqual(chunks)
    }
  })
})
