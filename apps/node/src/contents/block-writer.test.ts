import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openBlockWriter } from './block-writer.ts'

const folders: string[] = []
afterEach(async () => void (await Promise.all(folders.splice(0).map((path) => rm(path, { recursive: true })))))

async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'tidenet-writer-'))
  folders.push(folder)
  return join(folder, 'data')
}

describe('a block writer', () => {
  it.each([0, 1, 65_536, 1 << 20, 5_000_001])('writes %i bytes unchanged', async (size) => {
    const path = await setup()
    const bytes = randomBytes(size)
    const writer = await openBlockWriter(path)
    for (let at = 0; at < size; at += 70_000) await writer.write(bytes.subarray(at, at + 70_000))
    await writer.sync()
    await writer.close()
    expect((await readFile(path)).equals(bytes)).toBe(true)
    expect(writer.size).toBe(size)
  })

  it('resumes at a given position and truncates the rest', async () => {
    const path = await setup()
    await writeFile(path, 'onetwo')
    const writer = await openBlockWriter(path, 3)
    await writer.write(Buffer.from('-three'))
    await writer.sync()
    await writer.close()
    expect(await readFile(path, 'utf8')).toBe('one-three')
  })

  it('refuses when the disk is full', async () => {
    const writer = await openBlockWriter('/dev/full')
    await writer.write(Buffer.alloc(1 << 20))
    await expect(writer.sync()).rejects.toMatchObject({ code: 'ENOSPC' })
    await writer.close()
  })
})
