import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { syncFolder, writeDurably } from './durable.ts'

it('leaves only the new file, and syncs folders except on Windows, which cannot', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'durable-'))
  try {
    await writeDurably(join(folder, 'a'), 'first')
    await writeDurably(join(folder, 'a'), 'second')
    expect(await readdir(folder)).toEqual(['a'])
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('second')
    // Nothing is opened there: the folder need not exist.
    await syncFolder(join(folder, 'none'), 'win32')
    await expect(syncFolder(join(folder, 'none'), 'linux')).rejects.toThrow('ENOENT')
  } finally {
    await rm(folder, { recursive: true })
  }
})
