import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { carFrame, carHeader } from './car.ts'
import { type Block, type Cid, cidText, parseCid, RAW } from './cid.ts'
import { buildDirectory } from './directory.ts'
import { createFileHasher } from './file.ts'
import { catFile, walk } from './graph.ts'
import { innerOf } from './leaves.ts'
import { resolvePath } from './path.ts'
import { readSample, type SampleGet } from './read-sample.ts'

/** A node with blocks in memory; `spoil` changes what it sends. */
function nodeOf(blocks: ReadonlyMap<string, Uint8Array>, spoil: (url: string, bytes: Uint8Array) => Uint8Array) {
  const getBlock = async (cid: Cid) => {
    const bytes = blocks.get(cidText(cid))
    if (!bytes) throw new Error('missing')
    return bytes
  }
  const bodyOf = async (url: URL): Promise<Uint8Array> => {
    const [, , name = '', ...names] = url.pathname.split('/').map(decodeURIComponent)
    const trail = await resolvePath(parseCid(name), names.join('/'), getBlock)
    const { cid } = trail.at(-1) ?? { cid: parseCid(name) }
    const archive = async (of: AsyncIterable<Block>) => {
      const parts = [carHeader([cid])]
      for await (const block of of) parts.push(carFrame(block))
      return Buffer.concat(parts)
    }
    const format = url.searchParams.get('format')
    if (format === 'raw') return getBlock(cid)
    if (format === 'inner') return archive(innerOf(cid, getBlock))
    if (format === 'car') {
      const scope = url.searchParams.get('dag-scope') as 'block' | 'entity' | null
      return archive(
        walk(parseCid(name), getBlock, { path: names.join('/'), scope: scope ?? 'all', duplicates: false }),
      )
    }
    const parts: Uint8Array[] = []
    for await (const part of catFile(cid, getBlock)) parts.push(part)
    return Buffer.concat(parts)
  }
  const asked: string[] = []
  const get: SampleGet = async (url, { range }) => {
    asked.push(`${url.replace(/.*\/ipfs\/[^/?]+/, '')}${range ? ` ${range}` : ''}`)
    const bytes = await bodyOf(new URL(url))
    const [start = 0, last = bytes.length - 1] = range?.slice('bytes='.length).split('-').map(Number) ?? []
    const sent = spoil(url, bytes.subarray(start, last + 1))
    return {
      status: range ? 206 : 200,
      contentRange: range && `bytes ${start}-${last}/${bytes.length}`,
      body: (async function* () {
        yield sent
      })(),
      discard() {},
    }
  }
  return { get, asked }
}

async function fileOf(bytes: Uint8Array, blocks: Map<string, Uint8Array>) {
  const hasher = createFileHasher({ chunkSize: 1000, width: 4 })
  await hasher.update(bytes)
  const { cid, inner } = await hasher.finish()
  for (const block of inner) blocks.set(cidText(block.cid), block.bytes)
  for (let at = 0; at < bytes.length; at += 1000) {
    const leaf = createFileHasher({ chunkSize: 1000 })
    await leaf.update(bytes.subarray(at, at + 1000))
    blocks.set(cidText((await leaf.finish()).cid), bytes.subarray(at, at + 1000))
  }
  return { cid, size: bytes.length }
}

const none = (_: string, bytes: Uint8Array) => bytes
const URL_OF = (cid: Cid) => `http://node/ipfs/${cidText(cid)}?token=t&filename=a%20name`

describe('a sample of a file', () => {
  it('reads what clients read, and nothing else', async () => {
    const blocks = new Map<string, Uint8Array>()
    const { cid, size } = await fileOf(randomBytes(20_500), blocks)
    const { get, asked } = nodeOf(blocks, none)
    const bytes = await readSample({ root: cid, kind: 'file', size, url: URL_OF(cid), position: 0.99 }, get)
    expect(asked.slice(0, 2)).toEqual(['?token=t&filename=a%20name bytes=0-0', '?token=t&filename=a+name&format=inner'])
    for (const request of asked.slice(2)) expect(request).toMatch(/^\?token=t&filename=a%20name bytes=\d+000-\d+$/)
    expect(asked.slice(2).join()).toContain('-20499')
    expect(bytes).toBeGreaterThan(0)
  })

  it('reads the same leaves again for the same position', async () => {
    const blocks = new Map<string, Uint8Array>()
    const { cid, size } = await fileOf(randomBytes(50_000), blocks)
    for (const position of [0, 0.25, 0.7, 1]) {
      const [one, other] = [nodeOf(blocks, none), nodeOf(blocks, none)]
      for (const { get } of [one, other])
        await readSample({ root: cid, kind: 'file', size, url: URL_OF(cid), position }, get)
      expect(other.asked).toEqual(one.asked)
    }
  })

  it('fails if a leaf or an inner node is wrong, missing or too short', async () => {
    const blocks = new Map<string, Uint8Array>()
    const { cid, size } = await fileOf(randomBytes(20_500), blocks)
    const flipped = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1)
    const lies: ((url: string, bytes: Uint8Array) => Uint8Array)[] = [
      (url, bytes) => (url.includes('inner') || bytes.length === 1 ? bytes : flipped(bytes)),
      (url, bytes) => (url.includes('inner') ? flipped(bytes) : bytes),
      (_, bytes) => (bytes.length > 1 ? bytes.subarray(0, -1) : bytes),
      (url, bytes) => (url.includes('inner') ? bytes.subarray(0, 200) : bytes),
      // Endless blocks do not make it read another way.
      (url, bytes) => (url.includes('inner') ? Buffer.concat(Array(3000).fill(bytes)) : bytes),
    ]
    for (const lie of lies)
      await expect(
        readSample({ root: cid, kind: 'file', size, url: URL_OF(cid), position: 0.5 }, nodeOf(blocks, lie).get),
      ).rejects.toThrow()
  })
})

describe('a sample of a folder', () => {
  it('finds every file, also in directories of shards', async () => {
    const blocks = new Map<string, Uint8Array>()
    const entry = async (name: string, bytes: Uint8Array) => {
      const { cid } = await fileOf(bytes, blocks)
      return { name, cidBytes: cid.bytes, cumulativeSize: bytes.length }
    }
    const small = await entry('', randomBytes(100))
    const many = await buildDirectory(Array.from({ length: 1200 }, (_, index) => ({ ...small, name: `file ${index}` })))
    const keep = (directory: typeof many) => {
      blocks.set(cidText(directory.block.cid), directory.block.bytes)
      for (const item of directory.items) if ('block' in item) keep(item)
    }
    keep(many)
    const below = { name: 'below', cidBytes: many.block.cid.bytes, cumulativeSize: many.cumulativeSize }
    const top = await buildDirectory([below, await entry('large one', randomBytes(100_000))])
    keep(top as typeof many)
    const root = top.block.cid
    const reached = new Set<string>()
    for (let index = 0; index < 16; index++) {
      const { get, asked } = nodeOf(blocks, none)
      const sample = { root, kind: 'folder' as const, size: 1, url: URL_OF(root), listUrl: URL_OF(root) }
      expect(await readSample({ ...sample, position: index / 16 }, get)).toBeGreaterThan(0)
      reached.add(asked.at(-1)?.replace(/\?.*/, '') ?? '')
    }
    expect(reached).toContain('/large%20one')
    expect(reached.size).toBeGreaterThan(5)
    expect(root.code).not.toBe(RAW)
  })
})
