import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  listFolder,
  makeFolder,
  type Run,
  readFile,
  removeFile,
  renameFile,
  uploadFile,
} from '../../apps/web/src/features/workspaces/program-files.ts'

/** The scripts that run in programs, with the shell of this machine, and with that of small images. */

const shells = [
  { shell: 'sh', prefix: [] as string[] },
  ...(spawnSync('busybox', ['true']).status === 0 ? [{ shell: 'busybox', prefix: ['busybox'] }] : []),
]

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'program-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command as in a program. */
const runWith =
  (prefix: readonly string[], cut?: number): Run =>
  async (command, input) => {
    // Busybox finds its own tools first.
    const [program = '', ...args] = prefix.length > 0 ? [...prefix, 'sh', ...command.slice(1)] : command
    const child = spawn(program, args)
    const output: Buffer[] = []
    let errors = ''
    child.stdout.on('data', (bytes: Buffer) => output.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => {
      errors += bytes
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input && Buffer.from(await input.arrayBuffer()).subarray(0, cut))
    const code = await new Promise<number>((resolve) => child.on('close', (value) => resolve(value ?? -1)))
    return { code, output: new Uint8Array(Buffer.concat(output)), errors }
  }

const HOSTILE = [
  'plain.txt',
  '-rf',
  '--help',
  '$(touch evil)',
  '`touch evil`',
  '; touch evil',
  'it\'s "quoted"',
  'two\nlines',
  '\n81a4 5 5 .',
  'a\\b',
  ' spaces ',
  '*',
  '...',
  '名字.txt',
  '\u202egnp.exe',
]

describe.each(shells)('with $shell', ({ prefix }) => {
  const run = runWith(prefix)
  const namesIn = async (path = folder) => (await listFolder(run, path)).files.map(({ name }) => name)
  const at = (name: string) => join(folder, name)
  const nothing = () => {}

  it('lists folders first, with kinds, sizes and times', async () => {
    mkdirSync(at('b'))
    writeFileSync(at('a'), 'four')
    symlinkSync('/etc', at('c'))
    const { files, more } = await listFolder(run, folder)
    expect(files).toMatchObject([
      { name: 'b', kind: 'folder' },
      { name: 'a', kind: 'file', size: 4, unnamable: false },
      { name: 'c', kind: 'link' },
    ])
    expect(Math.abs((files[1]?.changed ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(more).toBe(false)
    expect(await namesIn(at('b'))).toEqual([])
  })

  it('handles hostile names like any other', async () => {
    for (const name of HOSTILE) {
      await uploadFile(run, folder, name, new Blob([name]), nothing)
      expect(readFileSync(at(name), 'utf8')).toBe(name)
    }
    expect((await namesIn()).sort()).toEqual([...HOSTILE].sort())
    for (const name of HOSTILE) {
      const parts: Uint8Array[] = []
      for await (const part of readFile(run, folder, name, Buffer.byteLength(name))) parts.push(part)
      expect(Buffer.concat(parts).toString()).toBe(name)
      await renameFile(run, folder, name, `${name}2`)
      await removeFile(run, folder, `${name}2`)
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('shows names that are no text, and leaves them alone', async () => {
    writeFileSync(Buffer.concat([Buffer.from(at('bad')), Buffer.from([0xff])]), '')
    expect((await listFolder(run, folder)).files).toMatchObject([{ name: 'bad\ufffd', unnamable: true }])
  })

  it('reads and writes files of many pieces', async () => {
    const bytes = Buffer.alloc(40 * 1024 * 1024 + 7, 'abcdefg')
    await uploadFile(run, folder, 'big', new Blob([bytes]), nothing)
    expect(readFileSync(at('big')).equals(bytes)).toBe(true)
    const parts: Uint8Array[] = []
    for await (const part of readFile(run, folder, 'big', bytes.length)) parts.push(part)
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    expect(parts.every(({ length }) => length <= 16 * 1024 * 1024)).toBe(true)
    await uploadFile(run, folder, 'none', new Blob([]), nothing)
    expect(readFileSync(at('none'))).toHaveLength(0)
  })

  it('creates and deletes folders with everything in them, but not what a link leads to', async () => {
    await makeFolder(run, folder, 'one')
    writeFileSync(at('one/kept'), 'kept')
    symlinkSync(at('one'), at('link'))
    await removeFile(run, folder, 'link')
    expect(readFileSync(at('one/kept'), 'utf8')).toBe('kept')
    await removeFile(run, folder, 'one')
    expect(readdirSync(folder)).toEqual([])
  })

  it('writes no file through a link', async () => {
    writeFileSync(at('target'), 'kept')
    symlinkSync('target', at('link'))
    await uploadFile(run, folder, 'link', new Blob(['new']), nothing)
    expect(readFileSync(at('target'), 'utf8')).toBe('kept')
    expect(readFileSync(at('link'), 'utf8')).toBe('new')
  })

  it('keeps the old file, and nothing else, if an upload is cut off', async () => {
    writeFileSync(at('a'), 'kept')
    await expect(uploadFile(runWith(prefix, 2), folder, 'a', new Blob(['longer']), nothing)).rejects.toMatchObject({
      problem: 'incomplete',
    })
    expect(readFileSync(at('a'), 'utf8')).toBe('kept')
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('refuses names that are taken, folders that do not exist, and files that became shorter', async () => {
    writeFileSync(at('a'), 'a')
    writeFileSync(at('b'), 'b')
    mkdirSync(at('c'))
    const taken = { problem: 'taken' }
    await expect(renameFile(run, folder, 'a', 'b')).rejects.toMatchObject(taken)
    await expect(makeFolder(run, folder, 'a')).rejects.toMatchObject(taken)
    await expect(renameFile(run, folder, 'a', '..')).rejects.toMatchObject(taken)
    await expect(uploadFile(run, folder, 'c', new Blob(['x']), nothing)).rejects.toMatchObject(taken)
    await expect(listFolder(run, at('none'))).rejects.toMatchObject({ problem: 'noFolder' })
    await expect(listFolder(run, at('a'))).rejects.toMatchObject({ problem: 'noFolder' })
    await expect(readFile(run, folder, 'a', 100).next()).rejects.toMatchObject({ problem: 'incomplete' })
    expect([readFileSync(at('a'), 'utf8'), readFileSync(at('b'), 'utf8')]).toEqual(['a', 'b'])
  })
})
