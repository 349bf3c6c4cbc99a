import { describe, expect, it } from 'vitest'
import { type Cid, cidText, parseCid } from './cid.ts'
import { type DirectoryEntry, listDirectory } from './graph.ts'
import { linksOfShard, listPage } from './listing.ts'
import { importFolder } from './oracle.fixture.ts'
import { countingBytes } from './seeded.fixture.ts'
import { readNode } from './unixfs.ts'

/** A folder and a counter of block reads. */
async function setup(files: number, shardAbove: number) {
  const entries = Array.from({ length: files }, (_, i): [string, Uint8Array] => [`entry ${i}`, countingBytes(3, i)])
  const { cid, blocks } = await importFolder(entries, { shardAbove })
  const root = parseCid(cid.toString())
  let reads = 0
  const get = async (cid: Cid) => {
    reads += 1
    return blocks.get(cidText(cid))!
  }
  const counts = new Map<string, number>()
  const count = (cid: Cid): number => {
    const { own, below } = linksOfShard(readNode(cid, blocks.get(cidText(cid))!))
    const sum = own + below.reduce((sum, child) => sum + count(child), 0)
    counts.set(cidText(cid), sum)
    return sum
  }
  if (shardAbove < 1000) count(root)
  const all: DirectoryEntry[] = []
  for await (const entry of listDirectory(root, get)) all.push(entry)
  return {
    all,
    blocks: counts.size,
    page: async (first: number, size: number) => {
      reads = 0
      const page = await listPage(root, get, { first, count: size }, async (cid) => counts.get(cidText(cid))!)
      return { ...page, reads }
    },
  }
}

describe('a page of a listing', () => {
  it.each([
    ['of one block', 300, 1_000_000],
    ['sharded', 3000, 100],
  ])('of a folder %s is that part of the whole, and pages make up the whole', async (_what, files, shardAbove) => {
    const { all, page } = await setup(files, shardAbove)
    expect(all.length).toBe(files)
    const gathered: DirectoryEntry[] = []
    for (let first = 0; first < files; first += 700) {
      const { entries, total } = await page(first, 700)
      expect(total).toBe(files)
      gathered.push(...entries)
    }
    expect(gathered).toEqual(all)
    for (const first of [0, 1, 17, files - 1, files, files + 5])
      expect((await page(first, 10)).entries).toEqual(all.slice(first, first + 10))
    expect((await page(5, 0)).entries).toEqual([])
  })

  it('reads only its shards and their parents, of thousands', async () => {
    const { page, blocks } = await setup(20_000, 100)
    expect(blocks).toBeGreaterThan(250)
    for (const first of [0, 7000, 19_990]) expect((await page(first, 10)).reads).toBeLessThan(8)
    expect((await page(100_000, 10)).reads).toBe(1)
  })
})
