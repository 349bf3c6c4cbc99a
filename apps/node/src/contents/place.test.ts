import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { placeNow, type Write } from './place.ts'

const made: string[] = []
afterAll(() => Promise.all(made.map((path) => rm(path, { recursive: true }))))
const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'place-'))
  made.push(path)
  return path
}
const file = (path: string, text: string): Write => ({ path, bytes: Buffer.from(text) })
const line = (path: string, text: string): Write => ({ ...file(path, text), append: true, mode: 0o600 })

describe('small files are put in their places', () => {
  it('in folders that did not exist, with their mode', async () => {
    const at = await folder()
    expect(placeNow(at, [[file('a/b/data', 'one')], [line('all', '1\n')]])).toEqual([])
    expect(await readFile(join(at, 'a/b/data'), 'utf8')).toBe('one')
    expect((await stat(join(at, 'all'))).mode & 0o777).toBe(0o600)
  })

  it('with the text of all groups at the end of one file, in their order', async () => {
    const at = await folder()
    await writeFile(join(at, 'all'), '0\n')
    placeNow(at, [[line('all', '1\n')], [file('x', ''), line('all', '2\n')], [line('all', '3\n')]])
    expect(await readFile(join(at, 'all'), 'utf8')).toBe('0\n1\n2\n3\n')
  })

  it('but nothing more of a group after a failure: no record without the content that it is about', async () => {
    const at = await folder()
    await writeFile(join(at, 'full'), '')
    const bad = [file('full/data', 'one'), file('full/record', '{}'), file('receipt', 'r'), line('all', 'bad\n')]
    const failed = placeNow(at, [[file('good', 'g'), line('all', 'good\n')], bad])
    expect(failed).toMatchObject([{ index: 1, code: expect.any(String), syscall: expect.any(String) }])
    expect(await readFile(join(at, 'all'), 'utf8')).toBe('good\n')
    await expect(stat(join(at, 'receipt'))).rejects.toThrow()
  })
})
