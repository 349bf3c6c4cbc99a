import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cidText, createFileHasher } from '@tidenet/content'
import { errors } from '@tidenet/contract'
import type { Storage } from '@tidenet/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTar } from '../archives/read-tar.ts'
import { type TarEntry, tarOf } from '../tar.ts'
import type { TransferTask } from '../transfer-task.ts'
import { type ProgramDisk, syncFolder } from './sync-folder.ts'

/** Both sides in memory. With a real engine and a real network: test/clusters/folders.cluster.test.ts. */

let spool: string
beforeAll(() => {
  spool = mkdtempSync(join(tmpdir(), 'sync-'))
})
afterAll(() => rmSync(spool, { recursive: true }))

async function cidOf(text: string): Promise<string> {
  const hasher = createFileHasher()
  await hasher.update(Buffer.from(text))
  return cidText((await hasher.finish()).cid)
}

type Files = Record<string, string>

/** Minutes that pass while a file is uploaded or downloaded, and how many bytes had moved at the end of each. */
type Minutes = (loaded: number) => void

/** A storage that refuses uploads of the files `full`. `slow` is asked how long each transfer takes. */
function sampleStorage(files: Files, full: readonly string[], slow: (minute: Minutes) => void = () => {}): Storage {
  const ok = (data: unknown) => ({ code: 0, msg: '', data })
  const call = async (name: string) => {
    if (name !== 'folders.manifest') return ok({ list: [], total: 0 })
    const list = Object.entries(files).map(async ([path, text]) => ({
      path: `Work/${path}`,
      cid: await cidOf(text),
      size: text.length,
      kind: 'file',
      encrypted: path.startsWith('sealed'),
    }))
    return ok({ list: await Promise.all(list) })
  }
  return {
    api: { call },
    async uploadAsset(file: string, { name }: { name: string }, onProgress: (progress: { loaded: number }) => void) {
      slow((loaded) => onProgress({ loaded }))
      if (full.includes(name)) return { code: 400, msg: 'Full.', data: { err: errors.quotaExceeded.err } }
      files[name] = await readFile(file, 'utf8')
      return ok({})
    },
    async downloadAsset(
      { assetCid, to }: { assetCid: string; to: { path: string } },
      onProgress: (progress: { loaded: number }) => void,
    ) {
      slow((loaded) => onProgress({ loaded }))
      for (const text of Object.values(files)) if ((await cidOf(text)) === assetCid) await writeFile(to.path, text)
      return ok({})
    },
  } as unknown as Storage
}

/** A program with files in `/work`, and the entries `more`. */
const sampleDisk = (files: Files, more: Iterable<TarEntry> = []): ProgramDisk => ({
  async read() {
    const entries = Object.entries(files).map(
      ([path, text]): TarEntry => ({
        kind: 'file',
        path: `work/${path}`,
        size: text.length,
        content: Buffer.from(text),
      }),
    )
    return tarOf(
      (function* () {
        yield { kind: 'folder', path: 'work' } as const
        yield* entries
        yield* more
      })(),
    )
  },
  async write(_path, archive) {
    for await (const { path, type, content } of readTar(archive)) {
      if (type !== '0') continue
      const parts: Uint8Array[] = []
      for await (const part of content) parts.push(part)
      files[path] = Buffer.concat(parts).toString()
    }
  },
})

interface Sides {
  program: Files
  storage: Files
  full?: string[]
  more?: Iterable<TarEntry>
  slow?: (minute: Minutes) => void
  onBytes?: () => void
  free?: number
  plan?: (copying: Record<string, string>) => Promise<void>
}

const sync = (
  { program, storage, full = [], more, slow, onBytes = () => {}, free = 2 ** 40, plan = async () => {} }: Sides,
  task: Partial<TransferTask>,
) =>
  syncFolder(
    {
      kind: 'fill',
      portal: '',
      key: '',
      folder: 1,
      path: '/work',
      base: {},
      copying: {},
      maxBytes: 1000,
      maxFiles: 10,
      ...task,
    },
    {
      storage: sampleStorage(storage, full, slow),
      disk: sampleDisk(program, more),
      spool,
      freeBytes: async () => free,
      onBytes,
      plan,
    },
  )

describe('a folder in a program', () => {
  it('keeps what the program changed when the storage is full, and gets what is new', async () => {
    const base = { a: await cidOf('old a'), b: await cidOf('old b') }
    const program: Files = { a: 'a of the program', b: 'b of the program' }
    const storage: Files = { a: 'old a', b: 'b of the storage', c: 'new' }
    const result = await sync({ program, storage, full: ['a', 'b'] }, { base })
    expect(program).toEqual({ a: 'a of the program', b: 'b of the program', c: 'new' })
    expect(result).toMatchObject({ filled: true, problem: 'quota', savedFiles: 0 })
  })

  it.each([
    ['uploaded', { program: { a: 'new' }, storage: {} }],
    ['downloaded', { program: {}, storage: { a: 'new' } }],
  ])(
    'tells all the time that bytes move while one file is %s',
    async (_, sides: Pick<Sides, 'program' | 'storage'>) => {
      /** Since it last told. */
      let quiet = 0
      let longest = 0
      const onBytes = () => {
        quiet = 0
      }
      const pass = (minute: Minutes) => (loaded: number) => {
        quiet += 1
        longest = Math.max(longest, quiet)
        minute(loaded)
      }
      const hour = Array.from({ length: 60 }, (_, at) => at + 1)
      const slow = (minute: Minutes) => hour.map((at) => at * 1000).forEach(pass(minute))
      expect(await sync({ ...sides, slow, onBytes }, {})).toMatchObject({ filled: true, problem: '' })
      expect(longest).toBe(1)
      // Neither does a transfer that stands still.
      longest = 0
      const stuck = (minute: Minutes) => hour.map(() => 1000).forEach(pass(minute))
      await sync({ program: { ...sides.program, b: 'b' }, storage: {}, slow: stuck, onBytes }, {})
      expect(longest).toBe(59)
    },
  )

  it('remembers nothing of files that neither side has any more', async () => {
    const [a, gone] = [await cidOf('a'), await cidOf('gone')]
    const plans: Record<string, string>[] = []
    const plan = async (copying: Record<string, string>) => void plans.push(copying)
    const result = await sync(
      { program: { a: 'a' }, storage: { b: 'b' }, plan },
      { base: { a, b: 'former', gone }, copying: { gone } },
    )
    expect(Object.keys(result.base).sort()).toEqual(['a', 'b'])
    expect(plans.map((copying) => Object.keys(copying))).toEqual([['b']])
  })

  it.each([
    ['empty folders', (n: number): TarEntry => ({ kind: 'folder', path: `work/${n}` })],
    ['links', (n: number): TarEntry => ({ kind: 'link', path: `work/${n}`, target: 'x' })],
    ['long names', (n: number): TarEntry => ({ kind: 'folder', path: `work/${n}${'x'.repeat(500_000)}` })],
  ])('with a million %s is refused after a few of them', async (_, entryOf) => {
    let read = 0
    const more = (function* () {
      for (; read < 1_000_000; read++) yield entryOf(read)
    })()
    expect(await sync({ program: {}, storage: {}, more }, { maxFiles: 1000 })).toMatchObject({ problem: 'many' })
    expect(read).toBeLessThan(20_000)
  })

  it('with more files than allowed is refused, also if they cannot be copied', async () => {
    const storage = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`sealed ${n}`, 'x']))
    expect(await sync({ program: {}, storage }, {})).toMatchObject({ filled: false, problem: 'many' })
  })

  it('is neither saved nor copied while this machine has no space for its files, and what needs none goes on', async () => {
    const base = { a: await cidOf('a') }
    const free = 1024 ** 3 + 3
    const program: Files = { a: 'a', large: 'new of the program' }
    const saved = await sync({ program, storage: { a: 'a' }, free }, { kind: 'save', base })
    expect(saved).toMatchObject({ problem: 'failed', savedFiles: 0, base })
    expect(saved.note).toContain('large')
    expect(readdirSync(spool).map((name) => statSync(join(spool, name)).size)).not.toContain(program.large?.length)
    const filled = await sync(
      { program: { a: 'a' }, storage: { a: 'a', b: 'b', large: 'new' }, free: free - 1 },
      { base },
    )
    expect(filled).toMatchObject({ filled: false, problem: 'failed' })
    const plenty = await sync({ program: { a: 'a' }, storage: { a: 'a', b: 'b', large: 'new' }, free }, { base })
    expect(plenty).toMatchObject({ filled: true, problem: '' })
  })

  it('gets nothing while not all files of the program are known', async () => {
    const base = { a: await cidOf('old a'), b: await cidOf('old b') }
    const program: Files = { a: 'a of the program', b: 'b of the program' }
    const storage: Files = { a: 'old a', b: 'b of the storage' }
    const result = await sync({ program, storage }, { base, maxFiles: 2, maxBytes: 20 })
    expect(program.b).toBe('b of the program')
    expect(result).toMatchObject({ filled: false, problem: 'large' })
  })
})
