import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { isPortableName } from '@tidenet/content'
import { afterEach, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { isSuccess, type Result } from '../result.ts'
import { someBytes, startTestEnv, type TestEnv } from '../test-env.fixture.ts'
import type { ArchiveProgress, DownloadedArchive } from './archive-types.ts'

let env: TestEnv
const folders: string[] = []
afterEach(async () => {
  await env?.close()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-archive-'))
  folders.push(folder)
  return folder
}

function ok<T>(result: Result<T>): T {
  if (!isSuccess(result)) throw new Error(`${result.code} ${result.msg} ${JSON.stringify(result.data)}`)
  return result.data
}

async function setup() {
  env = await startTestEnv({ nodes: 2 })
  const storage = env.storage()
  return {
    storage,
    async file(bytes: Buffer, name = 'x') {
      const { cid, size } = ok(await storage.uploadAsset(bytes, { name }))
      return { cid, size }
    },
  }
}

/** Contents of an archive by path, unpacked with the system's tar. */
async function unpacked(archive: DownloadedArchive): Promise<Map<string, Buffer | 'folder'>> {
  const into = await temporary()
  execFileSync('tar', ['-xf', '-'], {
    cwd: into,
    input: Buffer.from((await archive.blob?.arrayBuffer()) ?? new ArrayBuffer(0)),
  })
  const found = await readdir(into, { recursive: true, withFileTypes: true })
  return new Map(
    await Promise.all(
      found.map(async (entry): Promise<[string, Buffer | 'folder']> => {
        const path = join(entry.parentPath, entry.name)
        return [relative(into, path), entry.isDirectory() ? 'folder' : await readFile(path)]
      }),
    ),
  )
}

/** Contents of a ZIP by path; folders end in `/`. */
async function unzipped(archive: DownloadedArchive): Promise<Map<string, Buffer>> {
  const bytes = Buffer.from((await archive.blob?.arrayBuffer()) ?? new ArrayBuffer(0))
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
  const found = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return found
}

it('writes small and large files, uploaded and empty folders into one tar', async () => {
  const { storage, file } = await setup()
  const [small, large] = [someBytes(1000, 3), someBytes(6_000_000, 5)]
  const root = join(await temporary(), 'stored')
  for (const [path, text] of [
    ['a.txt', 'a'],
    ['day 1/深.txt', '深'],
  ] as const) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const stored = ok(await storage.uploadAsset(root))
  const one = await file(small)
  const entries = [
    { path: 'Holiday/small.bin', ...one, assetType: 'file' as const },
    { path: 'Holiday/大.bin', ...(await file(large)), assetType: 'file' as const },
    { path: 'Holiday/stored', cid: stored.cid, assetType: 'folder' as const },
    { path: 'Holiday/nothing in it' },
    { path: 'Holiday/small.bin', ...one, assetType: 'file' as const },
  ]
  const seen: ArchiveProgress[] = []
  const archive = ok(
    await storage.downloadArchive({ entries, name: 'Holiday.tar' }, (progress) => void seen.push(progress)),
  )
  const found = await unpacked(archive)
  expect(
    [...found]
      .filter(([, content]) => content !== 'folder')
      .map(([path]) => path)
      .sort(),
  ).toEqual(
    [
      'Holiday/small.bin',
      'Holiday/small (2).bin',
      'Holiday/大.bin',
      'Holiday/stored/a.txt',
      'Holiday/stored/day 1/深.txt',
    ].sort(),
  )
  expect(found.get('Holiday/nothing in it')).toBe('folder')
  expect(small.equals(found.get('Holiday/small (2).bin') as Buffer)).toBe(true)
  expect(large.equals(found.get('Holiday/大.bin') as Buffer)).toBe(true)
  expect(found.get('Holiday/stored/day 1/深.txt')?.toString()).toBe('深')
  expect(archive).toMatchObject({ name: 'Holiday.tar', count: 5, failed: [], verified: true })
  expect(archive.nodes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(6_000_000)
  expect(seen.at(-1)).toMatchObject({ percent: 100, done: 5, count: 5 })
  expect(seen.every(({ percent }) => percent <= 100)).toBe(true)
})

it('writes the same as a ZIP, which other programs read', async () => {
  const { storage, file } = await setup()
  const [small, large] = [someBytes(1000, 3), someBytes(6_000_000, 5)]
  const stored = ok(
    await storage.uploadAsset([
      { path: 'top/a.txt', file: Buffer.from('a') },
      { path: 'top/day 1/large.bin', file: large },
    ]),
  )
  const entries = [
    { path: 'Holiday/小.bin', ...(await file(small)), assetType: 'file' as const },
    { path: 'Holiday/大.bin', ...(await file(large)), assetType: 'file' as const },
    { path: 'Holiday/stored', cid: stored.cid, assetType: 'folder' as const },
    { path: 'Holiday/nothing in it' },
  ]
  const archive = ok(await storage.downloadArchive({ entries, name: 'Holiday.zip', format: 'zip' }))
  expect(archive).toMatchObject({ name: 'Holiday.zip', count: 4, failed: [], verified: true })
  const found = await unzipped(archive)
  expect(found.has('Holiday/nothing in it/')).toBe(true)
  expect(found.get('Holiday/小.bin')?.equals(small)).toBe(true)
  expect(found.get('Holiday/大.bin')?.equals(large)).toBe(true)
  expect(found.get('Holiday/stored/a.txt')?.toString()).toBe('a')
  expect(found.get('Holiday/stored/day 1/large.bin')?.equals(large)).toBe(true)
})

it('gives every entry a path that is unique on every system', async () => {
  const { storage, file } = await setup()
  const one = await file(someBytes(1000, 3))
  const paths = ['../../evil', '/etc/passwd', 'a\\..\\evil', 'C:evil', 'a/CON', 'a/b:stream', 'a/end. ', 'ordinary']
  const entries = paths.map((path) => ({ path, ...one }))
  const found = await unpacked(ok(await storage.downloadArchive({ entries, name: 'names.tar' })))
  expect([...found.values()].filter((content) => content !== 'folder').length).toBe(paths.length)
  expect(found.has('ordinary')).toBe(true)
  for (const path of found.keys())
    for (const name of path.split('/')) expect([path, isPortableName(name)]).toEqual([path, true])
})

it('downloads many small files in order', async () => {
  const { storage, file } = await setup()
  const entries = []
  for (let index = 0; index < 40; index++)
    entries.push({ path: `many/${index}.txt`, ...(await file(Buffer.from(`file ${index}`))) })
  const found = await unpacked(ok(await storage.downloadArchive({ entries, name: 'many.tar' })))
  for (let index = 0; index < 40; index++) expect(found.get(`many/${index}.txt`)?.toString()).toBe(`file ${index}`)
})

it('skips unavailable items and names them', async () => {
  const { storage, file } = await setup()
  const good = await file(someBytes(2000))
  const gone = await file(someBytes(3000, 9))
  for (const node of env.nodes) node.contents.delete(gone.cid)
  const archive = ok(
    await storage.downloadArchive({
      entries: [
        { path: 'gone.bin', ...gone },
        { path: 'good.bin', ...good },
      ],
      name: 'two.tar',
    }),
  )
  expect(archive.failed).toMatchObject([{ path: 'gone.bin', code: 10019 }])
  expect([...(await unpacked(archive)).keys()]).toEqual(['good.bin'])
})

it('checks the size of a file before buffering it', async () => {
  const { storage, file } = await setup()
  const [small, large, gone] = [someBytes(1000, 3), someBytes(6_000_000, 5), await file(someBytes(3000, 9))]
  const [one, two] = [await file(small), await file(large)]
  for (const node of env.nodes) node.contents.delete(gone.cid)
  const entries = [
    { path: 'small', cid: one.cid },
    { path: 'gone', cid: gone.cid },
    { path: 'large', cid: two.cid },
  ]
  const archive = ok(await storage.downloadArchive({ entries, name: 'three.tar' }))
  expect(archive.failed).toMatchObject([{ path: 'gone' }])
  const found = await unpacked(archive)
  expect(small.equals(found.get('small') as Buffer)).toBe(true)
  expect(large.equals(found.get('large') as Buffer)).toBe(true)
  // A file that is streamed cannot be left out once its header is written.
  for (const node of env.nodes) node.knobs.failRange = { status: 500, start: 1 << 20 }
  expect((await storage.downloadArchive({ entries, name: 'three.tar' })).code).toBe(10020)
})

it('keeps both if a file and a folder have the same name', async () => {
  const { storage, file } = await setup()
  const [outer, inner] = [await file(Buffer.from('outer')), await file(Buffer.from('inner'))]
  for (const entries of [
    [
      { path: 'a', ...outer },
      { path: 'a/b', ...inner },
    ],
    [
      { path: 'a/b', ...inner },
      { path: 'a', ...outer },
    ],
  ]) {
    const found = await unpacked(ok(await storage.downloadArchive({ entries, name: 'a.tar' })))
    expect(Object.fromEntries([...found].map(([path, content]) => [path, String(content)]))).toEqual({
      a: 'folder',
      'a (2)': 'outer',
      'a/b': 'inner',
    })
  }
  const named = [{ path: 'a' }, { path: 'a/b', ...inner }]
  expect([...(await unpacked(ok(await storage.downloadArchive({ entries: named, name: 'a.tar' })))).keys()]).toEqual([
    'a',
    'a/b',
  ])
})

it('releases prefetched data once the archive can no longer be read', async () => {
  const { file } = await setup()
  const storage = env.storage({}, { limits: { stall: 60_000 } })
  const [taken, waiting] = [await file(someBytes(3_000_000)), await file(someBytes(3_000_000, 7))]
  const [fast, silent] = env.nodes as [TestEnv['nodes'][0], TestEnv['nodes'][0]]
  for (const { cid } of [taken, waiting]) {
    const held = env.nodes.map((node) => node.contents.get(cid)).find((content) => content !== undefined)!
    for (const node of env.nodes) node.contents.delete(cid)
    const holder = cid === taken.cid ? fast : silent
    holder.contents.set(cid, held)
  }
  silent.knobs.stalls = true
  const stream = new WritableStream<Uint8Array>({
    write() {
      throw new Error('the disk is full')
    },
  })
  const result = await storage.downloadArchive({
    entries: [
      { path: 'taken', ...taken },
      { path: 'waiting', ...waiting },
    ],
    name: 'two.tar',
    to: { stream },
  })
  expect(result.code).toBe(10030)
})

it('never contains bytes that do not match their CID', async () => {
  const { storage, file } = await setup()
  const [small, large] = [await file(someBytes(2000)), await file(someBytes(5_000_000, 2))]
  for (const node of env.nodes) node.knobs.spoils = true
  expect((await storage.downloadArchive({ entries: [{ path: 'a', ...small }], name: 'a.tar' })).code).not.toBe(0)
  expect((await storage.downloadArchive({ entries: [{ path: 'b', ...large }], name: 'b.tar' })).code).not.toBe(0)
})

it('fails if a large file or an uploaded folder is unavailable', async () => {
  const { storage, file } = await setup()
  const large = await file(someBytes(6_000_000))
  const stored = ok(await storage.uploadAsset([{ path: 'top/a', file: Buffer.from('a') }]))
  for (const node of env.nodes) node.contents.clear()
  for (const entry of [
    { path: 'a', ...large },
    { path: 'b', cid: stored.cid, assetType: 'folder' as const },
  ])
    expect((await storage.downloadArchive({ entries: [entry], name: 'a.tar' })).code).toBe(10019)
})

it('continues where it stopped when all nodes went away and came back', async () => {
  const { storage, file } = await setup()
  const bytes = someBytes(12_000_000)
  const large = await file(bytes)
  for (const { knobs } of env.nodes) knobs.away = { after: 8, times: 6 }
  const archive = await storage.downloadArchive({ entries: [{ path: 'a', ...large }], name: 'a.zip', format: 'zip' })
  expect((await unzipped(ok(archive))).get('a')?.equals(bytes)).toBe(true)
  expect(env.nodes.some(({ knobs }) => (knobs.away?.after ?? 0) < 0)).toBe(true)
})

it('contains files whose nodes are away when their turn comes and return in a moment', async () => {
  const { storage, file } = await setup()
  const [small, large] = [someBytes(1000, 3), someBytes(6_000_000, 5)]
  const stored = ok(await storage.uploadAsset([{ path: 'top/a', file: Buffer.from('a') }]))
  const entries = [
    { path: 'small', ...(await file(small)) },
    { path: 'large', ...(await file(large)) },
    { path: 'stored', cid: stored.cid, assetType: 'folder' as const },
  ]
  for (const { knobs } of env.nodes) knobs.away = { after: 0, times: 5 }
  const archive = ok(await storage.downloadArchive({ entries, name: 'a.tar' }))
  expect(archive).toMatchObject({ count: 3, failed: [] })
  const found = await unpacked(archive)
  expect(small.equals(found.get('small') as Buffer)).toBe(true)
  expect(large.equals(found.get('large') as Buffer)).toBe(true)
  expect(String(found.get('stored/a'))).toBe('a')
})

it('contains a file that another node has, once the portal names that node', async () => {
  const { storage, file } = await setup()
  const one = await file(someBytes(1000, 3))
  let asked = 0
  env.answers.set('share_asset', ({ asset_cid }) =>
    asked++ > 0
      ? env.addresses(String(asset_cid))
      : { ...env.addresses(String(asset_cid)), url: ['http://127.0.0.1:9/ipfs/x?token=x'], node_ids: ['away'] },
  )
  expect(ok(await storage.downloadArchive({ entries: [{ path: 'a', ...one }], name: 'a.tar' }))).toMatchObject({
    count: 1,
    failed: [],
  })
})

it('gives up files whose nodes stay away after half a minute, without asking for all of them each time', async () => {
  const { storage, file } = await setup()
  const good = await file(someBytes(2000))
  const gone = await file(someBytes(3000, 9))
  for (const node of env.nodes) node.contents.delete(gone.cid)
  const entries = Array.from({ length: 200 }, (_, index) => ({ path: `gone ${index}`, ...gone }))
  const archive = ok(await storage.downloadArchive({ entries: [...entries, { path: 'z', ...good }], name: 'a.tar' }))
  expect(archive).toMatchObject({ count: 1, failed: { length: 200 } })
  expect(env.pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(40_000)
  expect(env.called('share_asset').length).toBeLessThan(2 * entries.length)
})

it('fails if all nodes went away for good', async () => {
  const { file } = await setup()
  const large = await file(someBytes(12_000_000))
  const storage = env.storage({}, { limits: { outage: 1000 } })
  for (const { knobs } of env.nodes) knobs.away = { after: 8, times: Number.POSITIVE_INFINITY }
  expect((await storage.downloadArchive({ entries: [{ path: 'a', ...large }], name: 'a.tar' })).code).toBe(10020)
})

it('stops at once if cancelled, and rejects an empty archive', async () => {
  const { storage, file } = await setup()
  const large = await file(someBytes(6_000_000))
  for (const node of env.nodes) node.knobs.slow = 20
  const task = storage.downloadArchive({ entries: [{ path: 'a', ...large }], name: 'a.tar' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await task.cancel()
  expect(await task).toMatchObject({ code: 10028 })
  const hasty = storage.downloadArchive({ entries: [{ path: 'a', ...large }], name: 'a.tar' })
  await hasty.cancel()
  expect(await hasty).toMatchObject({ code: 10028 })
  expect(await storage.downloadArchive({ entries: [], name: 'a.tar' })).toMatchObject({ code: 10025 })
  const odd = { entries: [{ path: 'a' }], name: 'a.rar', format: 'rar' as 'zip' }
  expect(await storage.downloadArchive(odd)).toMatchObject({ code: 10025 })
})
