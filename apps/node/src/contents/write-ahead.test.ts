import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@tidenet/daemon'
import { afterAll, describe, expect, it } from 'vitest'
import type { Write } from './place.ts'
import { openWriteAhead, type WriteAhead } from './write-ahead.ts'

const log = createLogger('test', 'silent')
const made: string[] = []
afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true }))))
const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'ahead-'))
  made.push(path)
  const data = join(path, 'data')
  await mkdir(data)
  return data
}
const open = (at: string) => openWriteAhead({ folder: at, log, settleMs: 3_600_000 })
const file = (path: string, text: string): Write => ({ path, bytes: Buffer.from(text) })
const read = (at: string, path: string) => readFile(join(at, path), 'utf8')
/** A data folder as a process leaves it that is killed after `work`. */
const crashed = async (work: (ahead: WriteAhead) => Promise<void>) => {
  const [live, copy] = [await folder(), await folder()]
  const ahead = await open(live)
  await work(ahead)
  await cp(live, copy, { recursive: true })
  await ahead.stop()
  return copy
}

describe('files written ahead', () => {
  it('are in their places at once, in folders that did not exist', async () => {
    const at = await folder()
    const ahead = await open(at)
    await ahead.write([file('a/b/data', 'one'), file('a/b/meta.json', '{}')])
    expect(await read(at, 'a/b/data')).toBe('one')
    await ahead.stop()
  })

  it('return after a power failure that took what was not synced', async () => {
    const at = await crashed(async (ahead) => {
      const write = (index: number) =>
        ahead.write([file(`f/${index}`, `text ${index}`), { ...file('all', `${index}\n`), append: true }])
      await Promise.all(Array.from({ length: 50 }, (_, index) => write(index)))
    })
    await truncate(join(at, 'f/1'), 0)
    await writeFile(join(at, 'f/2'), '\0\0\0\0\0\0')
    await rm(join(at, 'f/3'))
    await writeFile(join(at, 'all'), '')
    await (await open(at)).stop()
    for (let index = 0; index < 50; index++) expect(await read(at, `f/${index}`)).toBe(`text ${index}`)
    expect((await read(at, 'all')).trim().split('\n')).toHaveLength(50)
  })

  it('keep their mode', async () => {
    const at = await crashed((ahead) => ahead.write([{ ...file('secret', 'x'), mode: 0o600 }]))
    const mode = async () => (await stat(join(at, 'secret'))).mode & 0o777
    expect(await mode()).toBe(0o600)
    await rm(join(at, 'secret'))
    await (await open(at)).stop()
    expect(await mode()).toBe(0o600)
  })

  it('are kept while earlier ones are synced in their places', async () => {
    const at = await folder()
    const ahead = await openWriteAhead({ folder: at, log, settleMs: 1 })
    for (let index = 0; index < 200; index++)
      await Promise.all([ahead.write([file(`a/${index}`, `a ${index}`)]), ahead.write([file(`b/${index}`, 'b')])])
    await ahead.stop()
    for (let index = 0; index < 200; index++) expect(await read(at, `a/${index}`)).toBe(`a ${index}`)
    expect(await readdir(join(at, 'ahead'))).toEqual([])
  })

  it('need no log after a stop', async () => {
    const at = await folder()
    const ahead = await open(at)
    await ahead.write([file('a', 'one')])
    await ahead.stop()
    expect(await readdir(join(at, 'ahead'))).toEqual([])
    expect(await read(at, 'a')).toBe('one')
  })

  it('stay in the log alone if they are late ones, and get their places when it ends, if they are still needed', async () => {
    const at = await folder()
    const ahead = await open(at)
    const placed: string[] = []
    const late = (path: string, isNeeded: boolean): Write => ({
      ...file(path, path),
      late: { isNeeded: () => isNeeded, onPlaced: () => void placed.push(path) },
    })
    await ahead.write([file('one', '1'), late('needed', true), late('needless', false)])
    expect(await readdir(at)).toEqual(['ahead', 'one'])
    await ahead.stop()
    expect(await read(at, 'needed')).toBe('needed')
    expect(placed).toEqual(['needed'])
    expect((await readdir(at)).sort()).toEqual(['ahead', 'needed', 'one'])
  })

  it('get their places as late ones without making others wait for all of them', async () => {
    const at = await folder()
    const ahead = await open(at)
    let turn = 0
    const turns = new Set<number>()
    const isNeeded = () => turns.add(turn).size > 0
    const late = (index: number) => ({ ...file(`late/${index}`, 'x'), late: { isNeeded, onPlaced: () => {} } })
    await ahead.write(Array.from({ length: 500 }, (_, index) => late(index)))
    const other = () => {
      turn += 1
      next = setImmediate(other)
    }
    let next = setImmediate(other)
    await ahead.stop()
    clearImmediate(next)
    expect(await readdir(join(at, 'late'))).toHaveLength(500)
    expect(turns.size).toBeGreaterThan(1)
  })

  it('return after a crash although they were late ones', async () => {
    const late = { isNeeded: () => true, onPlaced: () => {} }
    const at = await crashed((ahead) => ahead.write([{ ...file('receipt', 'x'), late }]))
    await (await open(at)).stop()
    expect(await read(at, 'receipt')).toBe('x')
  })

  it('get no places as late ones if the others of their group got none', async () => {
    const at = await folder()
    await mkdir(join(at, 'content'))
    const ahead = await open(at)
    const late = { isNeeded: () => true, onPlaced: () => {} }
    await expect(ahead.write([file('content', 'x'), { ...file('receipt', 'x'), late }])).rejects.toThrow()
    await ahead.stop()
    expect((await readdir(at)).sort()).toEqual(['ahead', 'content'])
  })

  it('leave no part as late ones on a full disk, and get their places at the next start', async () => {
    const at = await folder()
    await symlink('/dev/full', join(at, 'receipt'))
    const ahead = await open(at)
    const late = { isNeeded: () => true, onPlaced: () => {} }
    await ahead.write([{ ...file('receipt', 'x'), late }])
    await ahead.stop()
    expect(await readdir(at)).toEqual(['ahead'])
    await (await open(at)).stop()
    expect(await read(at, 'receipt')).toBe('x')
  })

  it('do not return if their entry in the log is incomplete or altered: nobody was told that they are stored', async () => {
    for (const harm of ['cut', 'alter'] as const) {
      const at = await crashed(async (ahead) => {
        await ahead.write([file('first', 'one')])
        await ahead.write([file('second', 'two'.repeat(1000))])
      })
      const [name] = await readdir(join(at, 'ahead'))
      const path = join(at, 'ahead', name ?? '')
      const bytes = await readFile(path)
      if (harm === 'cut') await truncate(path, bytes.length - 100)
      else await writeFile(path, bytes.fill(1, bytes.length - 100, bytes.length - 90))
      await rm(join(at, 'first'))
      await rm(join(at, 'second'))
      await (await open(at)).stop()
      expect(await read(at, 'first')).toBe('one')
      await expect(read(at, 'second')).rejects.toThrow()
    }
  })

  it('are never restored outside the data folder', async () => {
    const at = await crashed((ahead) => ahead.write([file('in/../../outside', 'x')]))
    await rm(join(at, '..', 'outside'), { force: true })
    await (await open(at)).stop()
    await expect(read(at, '../outside')).rejects.toThrow()
  })
})
