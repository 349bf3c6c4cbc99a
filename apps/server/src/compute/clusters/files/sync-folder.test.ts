import { mkdtempSync, rmSync } from 'node:fs'
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

/** A storage that refuses uploads of the files `full`. */
function sampleStorage(files: Files, full: readonly string[]): Storage {
  const ok = (data: unknown) => ({ code: 0, msg: '', data })
  const call = async (name: string) => {
    if (name !== 'folders.manifest') return ok({ list: [], total: 0 })
    const list = Object.entries(files).map(async ([path, text]) => ({
      path: `Work/${path}`,
      cid: await cidOf(text),
      size: text.length,
      kind: 'file',
      encrypted: false,
    }))
    return ok({ list: await Promise.all(list) })
  }
  return {
    api: { call },
    async uploadAsset(file: string, { name }: { name: string }) {
      if (full.includes(name)) return { code: 400, msg: 'Full.', data: { err: errors.quotaExceeded.err } }
      files[name] = await readFile(file, 'utf8')
      return ok({})
    },
    async downloadAsset({ assetCid, to }: { assetCid: string; to: { path: string } }) {
      for (const text of Object.values(files)) if ((await cidOf(text)) === assetCid) await writeFile(to.path, text)
      return ok({})
    },
  } as unknown as Storage
}

/** A program with files in `/work`, and the entries `more`. */
const sampleDisk = (files: Files, more: readonly TarEntry[] = []): ProgramDisk => ({
  async read() {
    const entries = Object.entries(files).map(
      ([path, text]): TarEntry => ({
        kind: 'file',
        path: `work/${path}`,
        size: text.length,
        content: Buffer.from(text),
      }),
    )
    return tarOf([{ kind: 'folder', path: 'work' }, ...entries, ...more])
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

const sync = (
  { program, storage, full = [], more }: { program: Files; storage: Files; full?: string[]; more?: TarEntry[] },
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
    { storage: sampleStorage(storage, full), disk: sampleDisk(program, more), spool, onBytes() {}, async plan() {} },
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

  it('gets nothing while not all files of the program are known', async () => {
    const base = { a: await cidOf('old a'), b: await cidOf('old b') }
    const program: Files = { a: 'a of the program', b: 'b of the program' }
    const storage: Files = { a: 'old a', b: 'b of the storage' }
    const result = await sync({ program, storage }, { base, maxFiles: 2, maxBytes: 20 })
    expect(program.b).toBe('b of the program')
    expect(result).toMatchObject({ filled: false, problem: 'large' })
  })
})
