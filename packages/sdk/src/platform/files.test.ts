import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRange } from '../bytes.ts'
import { someBytes } from '../test-env.fixture.ts'
import { filePath, openFile, openPath } from './files.node.ts'
import { fileResumeStore } from './resume-store.node.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sdk-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('a path', () => {
  it('of a file is read from any offset', async () => {
    const bytes = someBytes(3_000_000)
    await writeFile(join(folder, 'a'), bytes)
    const opened = await openPath(join(folder, 'a'))
    if (opened.kind !== 'file') throw new Error(opened.kind)
    expect(opened.source).toMatchObject({ name: 'a', size: bytes.length })
    expect(
      Buffer.from(await readRange(opened.source, 1_000_000, 2_500_000)).equals(bytes.subarray(1_000_000, 2_500_000)),
    ).toBe(true)
    await truncate(join(folder, 'a'), 10)
    await expect(readRange(opened.source, 0, bytes.length)).rejects.toThrow()
  })

  it('of a folder returns its files and empty folders by name, without links', async () => {
    for (const name of ['sub', 'none/deep', 'links']) await mkdir(join(folder, 'f', name), { recursive: true })
    for (const name of ['b', 'a', 'sub/c']) await writeFile(join(folder, 'f', name), name)
    for (const name of ['link', 'links/one']) await symlink('/etc/passwd', join(folder, 'f', name))
    const opened = await openPath(join(folder, 'f'))
    if (opened.kind !== 'folder') throw new Error(opened.kind)
    const paths: string[] = []
    for await (const { path } of opened.files()) paths.push(path)
    expect({ name: opened.name, paths }).toEqual({ name: 'f', paths: ['a', 'b', 'links/', 'none/deep/', 'sub/c'] })
  })

  it.each(['no/such', '/dev/null'])('%s is refused', async (path) => {
    await expect(openPath(path)).rejects.toThrow()
  })
})

describe('the path of a download', () => {
  it.each([
    ['x.bin', 'x.bin'],
    ['../../x.bin', 'x.bin'],
    ['..\\x.bin', 'x.bin'],
    ['a/b\u0000c', 'bc'],
    ['..', 'download'],
    ['', 'download'],
    ['a:stream', 'a_stream'],
    ['CON.txt', '_CON.txt'],
    ['a. ', 'a'],
  ])('"%s" lies in the folder as "%s"', async (name, expected) => {
    expect(await filePath(folder, name)).toBe(join(folder, expected))
  })

  it('is the given path unless it is a folder', async () => {
    expect(await filePath(join(folder, 'y'), 'x')).toBe(join(folder, 'y'))
  })
})

describe('a written file', () => {
  it('does not exist before it is complete', async () => {
    const target = await openFile(join(folder, 'a'), 6, { keep: false })
    await target.write([Buffer.from('def')], 3)
    await target.write([Buffer.from('a'), Buffer.from('bc')], 0)
    expect(await readdir(folder)).not.toContain('a')
    await target.commit(6)
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('abcdef')
    expect(await readdir(folder)).toEqual(['a'])
  })

  it.each([true, false])('may have a name of the maximum length (kept: %j)', async (keep) => {
    for (const name of ['夏'.repeat(85), `${'夏'.repeat(84)}a`, 'n'.repeat(255)]) {
      const target = await openFile(join(folder, name), 3, { keep })
      await target.write([Buffer.from('abc')], 0)
      await target.abort()
      const again = await openFile(join(folder, name), 3, { keep })
      if (keep) expect(Buffer.from(await again.read!(0, 3)).toString()).toBe('abc')
      await again.write([Buffer.from('abc')], 0)
      await again.commit(3)
      expect(await readdir(folder)).toContain(name)
    }
    expect((await readdir(folder)).length).toBe(3)
  })

  it('leaves nothing if aborted, unless requested', async () => {
    const target = await openFile(join(folder, 'a'), 6, { keep: false })
    await target.write([Buffer.from('abc')], 0)
    await target.abort()
    expect(await readdir(folder)).toEqual([])
    const kept = await openFile(join(folder, 'a'), 6, { keep: true })
    await kept.write([Buffer.from('abc')], 0)
    await kept.abort()
    const again = await openFile(join(folder, 'a'), 6, { keep: true })
    expect(Buffer.from(await again.read!(0, 3)).toString()).toBe('abc')
    await again.abort()
  })
})

describe('a link at the path of a file', () => {
  it('is not followed, neither for a partial nor for the final file', async () => {
    await writeFile(join(folder, 'mine'), 'mine')
    await symlink(join(folder, 'mine'), join(folder, 'a.part'))
    await symlink(join(folder, 'mine'), join(folder, 'b'))
    await expect(openFile(join(folder, 'a'), 3, { keep: true })).rejects.toThrow()
    const target = await openFile(join(folder, 'b'), 3, { keep: false })
    await target.write([Buffer.from('abc')], 0)
    await target.commit(3)
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('abc')
    expect(await readFile(join(folder, 'mine'), 'utf8')).toBe('mine')
  })
})

describe('a file of unfinished uploads', () => {
  const upload = { location: 'http://n/tus/1', nodeId: 'n', token: 't', traceId: 'x', begun: Date.now() }

  it('is readable for later processes, and for its owner only', async () => {
    const path = join(folder, 'state', 'uploads.json')
    await Promise.all([fileResumeStore(path).set('a', upload)])
    const store = fileResumeStore(path)
    expect(await store.get('a')).toEqual(upload)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
  })

  it('drops uploads that nodes deleted, and survives corruption', async () => {
    const path = join(folder, 'uploads.json')
    const store = fileResumeStore(path)
    await store.set('old', { ...upload, begun: 5 })
    expect(await store.get('old')).toBeUndefined()
    await writeFile(path, '{ nonsense')
    expect(await store.get('a')).toBeUndefined()
    await Promise.all([store.set('a', upload), store.set('b', upload)])
    expect([await store.get('a'), await store.get('b')]).toEqual([upload, upload])
  })
})
