import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClock } from '@tidenet/daemon'
import { afterAll, describe, expect, it } from 'vitest'
import { documentsOf } from './documents.ts'
import { acquireLease } from './leases.ts'
import { createFolderStore, createMemoryStore, createSealedStore } from './store.ts'

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidenet-certificates-'))
  folders.push(folder)
  return folder
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

describe.each([
  ['in memory', async () => createMemoryStore()],
  ['in a folder', async () => createFolderStore(join(await newFolder(), 'new'))],
  ['sealed', async () => createSealedStore(createMemoryStore(), randomBytes(32))],
])('a store %s', (_, create) => {
  it('replaces a value only if it is the expected one', async () => {
    const store = await create()
    expect(await store.read('a/b')).toBeUndefined()
    expect(await store.replace('a/b', 'old', 'new')).toBe(false)
    expect(await store.replace('a/b', undefined, 'one')).toBe(true)
    expect(await store.replace('a/b', undefined, 'two')).toBe(false)
    expect(await store.replace('a/b', 'one', 'two')).toBe(true)
    expect(await store.read('a/b')).toBe('two')
    expect(await store.replace('a/b', 'two', undefined)).toBe(true)
    expect(await store.read('a/b')).toBeUndefined()
  })

  it('lists its keys', async () => {
    const store = await create()
    expect(await store.keys('a/')).toEqual([])
    for (const key of ['a/_.example.org-1', 'a/2', 'b/3']) await store.replace(key, undefined, 'one')
    expect((await store.keys('a/')).sort()).toEqual(['a/2', 'a/_.example.org-1'])
  })

  it('loses no change of several at once', async () => {
    const documents = documentsOf(await create())
    const add = () =>
      documents.change<number, void>('a/count', (before = 0) => ({ after: before + 1, result: undefined }))
    await Promise.all(Array.from({ length: 20 }, add))
    expect(await documents.read('a/count')).toBe(20)
  })

  it('gives a lease to one, until it is released or its time is over', async () => {
    const clock = createClock()
    const documents = documentsOf(await create())
    const all = await Promise.all(Array.from({ length: 5 }, () => acquireLease(documents, clock, 'x')))
    const [lease] = all.filter((each) => each !== undefined)
    expect(all.filter((each) => each !== undefined)).toHaveLength(1)
    await lease?.release()
    const abandoned = await acquireLease(documents, clock, 'x')
    expect(abandoned).toBeDefined()
    expect(await acquireLease(documents, clock, 'x')).toBeUndefined()
    clock.move(121_000)
    const next = await acquireLease(documents, clock, 'x')
    expect(next).toBeDefined()
    // The late release of the former holder takes nothing away.
    await abandoned?.release()
    expect(await acquireLease(documents, clock, 'x')).toBeUndefined()
    await next?.release()
  })
})

describe('files', () => {
  it('can be read by their owner only, whatever the process allows by default', async () => {
    const folder = join(await newFolder(), 'certificates')
    const before = process.umask(0)
    try {
      await createFolderStore(folder).replace('certificate/a.example.com-1', undefined, 'secret')
    } finally {
      process.umask(before)
    }
    const [name = ''] = await readdir(folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  })

  it('survive a process that was killed while it wrote', async () => {
    const folder = await newFolder()
    const store = createFolderStore(folder)
    await store.replace('dns/a.example.new', undefined, 'one')
    const [name = ''] = await readdir(folder)
    await writeFile(join(folder, `${name}~`), 'half')
    expect(await store.replace('dns/a.example.new', 'one', 'two')).toBe(true)
    expect(await createFolderStore(folder).read('dns/a.example.new')).toBe('two')
  })

  it('are never outside the folder', async () => {
    const store = createFolderStore(await newFolder())
    for (const key of ['../a/b', 'a/../b', '/a/b', 'a', '', 'a/b\0', 'a/'.repeat(3)])
      await expect(store.read(key)).rejects.toThrow(TypeError)
    expect(await store.read(`dns/${'a.'.repeat(120)}org`)).toBeUndefined()
  })
})

describe('sealed values', () => {
  it('cannot be read, changed or moved in the store beneath', async () => {
    const folder = await newFolder()
    const beneath = createFolderStore(folder)
    const secret = randomBytes(32)
    const store = createSealedStore(beneath, secret)
    await store.replace('a/b', undefined, 'PRIVATE KEY')
    const [name = ''] = await readdir(folder)
    expect(await readFile(join(folder, name), 'utf8')).not.toContain('PRIVATE')
    const value = await beneath.read('a/b')
    await beneath.replace('a/c', undefined, value)
    await expect(store.read('a/c')).rejects.toThrow()
    await expect(createSealedStore(beneath, randomBytes(32)).read('a/b')).rejects.toThrow()
  })
})
