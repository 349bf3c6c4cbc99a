import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createIndexBuilder, indexInMemory, openBlockIndex } from './block-index.ts'

const RAW = 0x55
const DAG_PB = 0x70
const digestOf = (n: number) => createHash('sha256').update(String(n)).digest()

describe('a block index', () => {
  it('finds every block that was added', async () => {
    const builder = createIndexBuilder()
    for (let n = 0; n < 1000; n += 1) builder.add(digestOf(n), RAW, n * 2 ** 33, n)
    const index = indexInMemory(builder.finish())
    for (const n of [0, 1, 500, 999])
      expect(await index.find(digestOf(n), RAW)).toMatchObject({ codec: RAW, offset: n * 2 ** 33, length: n })
  })

  it('keeps the first position of a repeated block, and distinguishes codecs', async () => {
    const builder = createIndexBuilder()
    builder.add(digestOf(1), RAW, 10, 1)
    builder.add(digestOf(1), DAG_PB, 20, 2)
    builder.add(digestOf(1), RAW, 30, 3)
    const index = indexInMemory(builder.finish())
    expect(index.count).toBe(2)
    expect(await index.find(digestOf(1), RAW)).toMatchObject({ offset: 10 })
    expect(await index.find(digestOf(1), DAG_PB)).toMatchObject({ offset: 20 })
  })

  it('is searched on disk when it is too large for memory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidenet-index-'))
    const builder = createIndexBuilder()
    for (let n = 0; n < 30_000; n += 1) builder.add(digestOf(n), RAW, n, n)
    await writeFile(join(folder, 'index'), builder.finish())
    const index = await openBlockIndex(join(folder, 'index'))
    expect(index.count).toBe(30_000)
    expect(await index.find(digestOf(12_345), RAW)).toMatchObject({ offset: 12_345 })
    expect(await index.find(digestOf(30_001), RAW)).toBeUndefined()
    await index.close()
    await rm(folder, { recursive: true })
  })

  it('does not find other blocks', async () => {
    const index = indexInMemory(createIndexBuilder().finish())
    expect(await index.find(digestOf(1), RAW)).toBeUndefined()
  })
})
