import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Block, cidText, parseCid, rawCid, sameBytes } from './cid.ts'
import { ContentError } from './errors.ts'
import { importFolder, type OracleOptions } from './oracle.fixture.ts'
import { countingBytes, gather, randomPieces, refusal, seededRandom } from './seeded.fixture.ts'
import { readTar, tarFolder } from './tar.ts'
import { readTarHeader, tarHeader } from './tar-header.ts'
import { dagPbBlock, directoryData } from './unixfs.ts'
import { type GetBlock, verifyingGet } from './verify.ts'

function getFrom(blocks: Map<string, Uint8Array>): GetBlock {
  return verifyingGet(async (cid) => {
    const bytes = blocks.get(cidText(cid))
    if (!bytes) throw new ContentError('not-found', `no block ${cidText(cid)}`)
    return bytes
  })
}

async function folder(files: [string, Uint8Array][], options?: OracleOptions) {
  const { cid, blocks } = await importFolder(files, options)
  return { root: parseCid(cid.toString()), getBlock: getFrom(blocks) }
}

async function* cut(bytes: Uint8Array, largest = 1000) {
  yield* randomPieces(bytes, largest, seededRandom(1))
}

async function read(tar: Uint8Array, largest?: number) {
  const found = new Map<string, { kind: string; size: number; bytes: Uint8Array }>()
  for await (const { name, kind, size, body } of readTar(cut(tar, largest))) {
    found.set(name, { kind, size, bytes: await gather(body) })
  }
  return found
}

const LONG = `${'long-name-'.repeat(20)}.txt`
const FILES: [string, Uint8Array][] = [
  ['a.txt', countingBytes(5)],
  ['empty.txt', new Uint8Array(0)],
  ['b/records.bin', countingBytes(1024)],
  ['b/large.bin', countingBytes(700_001)],
  [`b/${LONG}`, countingBytes(513)],
  ['文件夹/说明.txt', countingBytes(20)],
  ['nothing/', new Uint8Array(0)],
]

const scratch = mkdtempSync(join(tmpdir(), 'tar-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const systemTar = spawnSync('tar', ['--version']).status === 0

describe('a folder as tar', () => {
  it('contains every file and folder below its name', async () => {
    const { root, getBlock } = await folder(FILES)
    const found = await read(await gather(tarFolder(root, 'top', getBlock)))
    for (const [path, bytes] of FILES.filter(([path]) => !path.endsWith('/'))) {
      const entry = found.get(`top/${path}`)!
      expect([entry.kind, entry.size, sameBytes(entry.bytes, bytes)]).toEqual(['file', bytes.length, true])
    }
    const folders = [...found].filter(([, entry]) => entry.kind === 'directory').map(([name]) => name)
    expect(folders).toEqual(['top/', 'top/b/', 'top/nothing/', 'top/文件夹/'])
  })

  it.skipIf(!systemTar)('is unpacked by the system’s tar', async () => {
    const { root, getBlock } = await folder(FILES)
    const tar = await gather(tarFolder(root, '顶 top', getBlock))
    const unpacked = spawnSync('tar', ['-xf', '-', '-C', scratch], {
      input: tar,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    expect([unpacked.status, unpacked.stderr.toString()]).toEqual([0, ''])
    for (const [path, bytes] of FILES.filter(([path]) => !path.endsWith('/'))) {
      expect(sameBytes(new Uint8Array(readFileSync(join(scratch, '顶 top', path))), bytes)).toBe(true)
    }
  })

  it.skipIf(!systemTar)('of the system is read in both of its formats', async () => {
    const { root, getBlock } = await folder(FILES)
    spawnSync('tar', ['-xf', '-', '-C', scratch], { input: await gather(tarFolder(root, 'again', getBlock)) })
    for (const format of ['gnu', 'pax', 'ustar']) {
      const made = spawnSync('tar', [`--format=${format}`, '-cf', '-', 'again/b'], { cwd: scratch, maxBuffer: 1e8 })
      const found = await read(new Uint8Array(made.stdout))
      expect(found.get('again/b/large.bin')?.size).toBe(700_001)
      if (format !== 'ustar') expect(found.get(`again/b/${LONG}`)?.size).toBe(513)
    }
  })

  it('is reproducible', async () => {
    const { root, getBlock } = await folder(FILES)
    const tar = await gather(tarFolder(root, 'top', getBlock))
    expect(sameBytes(tar, await gather(tarFolder(root, 'top', getBlock)))).toBe(true)
    expect(tar.length % 512).toBe(0)
  })

  it('covers sharded folders, and single files', async () => {
    const many = Array.from({ length: 1200 }, (_, at): [string, Uint8Array] => [`f${at}`, countingBytes(at % 7, at)])
    const { root, getBlock } = await folder(many, { shardAbove: 0 })
    expect((await read(await gather(tarFolder(root, 'top', getBlock)), 100_000)).size).toBe(1201)
    const bytes = countingBytes(100)
    const single = await read(await gather(tarFolder(await rawCid(bytes), 'one.bin', async () => bytes)))
    expect([...single.keys()]).toEqual(['one.bin'])
  })

  it('has pax headers for sizes above 8 GiB and long names', async () => {
    for (const size of [8 ** 11 - 1, 8 ** 11, 2 ** 43]) {
      const header = tarHeader({ name: LONG, kind: 'file', size })
      const entries = readTar(cut(await gather([header, new Uint8Array(10)])))[Symbol.asyncIterator]()
      expect((await entries.next()).value).toMatchObject({ name: LONG, size })
      expect(header.length).toBe(1536)
    }
  })

  it('is read to the end of its stream, so that pass-through streams are complete', async () => {
    const { root, getBlock } = await folder(FILES)
    const tar = await gather(tarFolder(root, 'top', getBlock))
    for (const left of [1, 512, 700, 1024]) {
      let passed = 0
      async function* passing() {
        for (const piece of [tar.subarray(0, tar.length - left), tar.subarray(tar.length - left)]) {
          passed += piece.length
          yield piece
        }
      }
      for await (const { body } of readTar(passing())) for await (const _ of body);
      expect(passed).toBe(tar.length)
    }
  })

  it('skips the unread rest of an entry', async () => {
    const { root, getBlock } = await folder(FILES)
    const names: string[] = []
    for await (const { name, body } of readTar(cut(await gather(tarFolder(root, 'top', getBlock)), 50_000))) {
      for await (const _ of body) break
      names.push(name)
    }
    expect(names.length).toBe(10)
  })
})

describe('a folder with many links to the same content', () => {
  /** Three levels of forty links each: a few thousand bytes that expand to 65,640 entries. */
  async function bomb(declared?: number) {
    const leaf: Block = { cid: await rawCid(countingBytes(100)), bytes: countingBytes(100) }
    const blocks = [leaf]
    let below = leaf
    let size = 100
    for (let level = 0; level < 3; level++) {
      const links = Array.from({ length: 40 }, (_, at) => ({
        cidBytes: below.cid.bytes,
        name: String(at).padStart(2, '0'),
        cumulativeSize: declared ?? size,
      }))
      below = await dagPbBlock(links, directoryData())
      size = size * 40 + below.bytes.length
      blocks.push(below)
    }
    return { root: below.cid, size, getBlock: getFrom(new Map(blocks.map(({ cid, bytes }) => [cidText(cid), bytes]))) }
  }

  async function written(tar: AsyncIterable<Uint8Array>) {
    let bytes = 0
    try {
      for await (const piece of tar) bytes += piece.length
      return { bytes }
    } catch (error) {
      return { bytes, code: (error as ContentError).code }
    }
  }

  it('is written up to its declared size', async () => {
    const { root, size, getBlock } = await bomb()
    expect(await written(tarFolder(root, 'top', getBlock, { maxBytes: size }))).not.toHaveProperty('code')
    const little = await bomb(50)
    const stopped = await written(tarFolder(little.root, 'top', little.getBlock, { maxBytes: 2000 }))
    expect(stopped).toMatchObject({ code: 'too-large' })
    expect(stopped.bytes).toBeLessThan(50_000)
  })

  it('is limited to the maximum number of entries', { tags: ['long'] }, async () => {
    const { root, getBlock } = await bomb()
    expect(await written(tarFolder(root, 'top', getBlock, { maxEntries: 65_640 }))).not.toHaveProperty('code')
    expect(await written(tarFolder(root, 'top', getBlock, { maxEntries: 65_639 }))).toMatchObject({ code: 'too-large' })
  })
})

describe('a tar is refused', () => {
  it('for names that lead outside of it', async () => {
    const leaf: Block = { cid: await rawCid(countingBytes(1)), bytes: countingBytes(1) }
    for (const name of ['..', '.', '', 'a/b', '../x', '/etc/passwd', 'a\0b']) {
      const root = await dagPbBlock([{ cidBytes: leaf.cid.bytes, name, cumulativeSize: 1 }], directoryData())
      const getBlock = getFrom(new Map([root, leaf].map(({ cid, bytes }) => [cidText(cid), bytes])))
      expect(await refusal(gather(tarFolder(root.cid, 'top', getBlock)))).toBe('bad-dag')
      expect(await refusal(gather(tarFolder(leaf.cid, name, getBlock)))).toBe('bad-path')
    }
  })

  it('for a folder with a symlink, and for blocks that are missing', async () => {
    const symlink = await dagPbBlock([], Uint8Array.of(0x08, 4, 0x12, 1, 0x2f))
    const root = await dagPbBlock([{ cidBytes: symlink.cid.bytes, name: 's', cumulativeSize: 1 }], directoryData())
    const held = new Map([[cidText(root.cid), root.bytes]])
    expect(await refusal(gather(tarFolder(root.cid, 'top', getFrom(held))))).toBe('not-found')
    held.set(cidText(symlink.cid), symlink.bytes)
    expect(await refusal(gather(tarFolder(root.cid, 'top', getFrom(held))))).toBe('bad-dag')
  })

  it('when it is truncated or malformed in any way', async () => {
    const { root, getBlock } = await folder(FILES.slice(0, 3))
    const tar = await gather(tarFolder(root, 'top', getBlock))
    for (let length = 0; length < tar.length - 1024; length += 100) {
      expect(await refusal(read(tar.subarray(0, length)))).toBe('bad-tar')
    }
    const random = seededRandom(6)
    for (let round = 0; round < 1000; round++) {
      const broken = tar.slice()
      for (let edit = 0; edit <= random() * 4; edit++) broken[Math.floor(random() * broken.length)] = random() * 256
      expect([undefined, 'bad-tar']).toContain(await refusal(read(broken)))
    }
    expect(await refusal(read(countingBytes(5000)))).toBe('bad-tar')
  })

  it('when attributes are malformed or too large', async () => {
    const pax = (body: string, size = body.length) => {
      const header = tarHeader({ name: 'x', kind: 'file', size })
      header[156] = 'x'.charCodeAt(0)
      let sum = 0
      header.fill(0x20, 148, 156)
      for (const byte of header) sum += byte
      header.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
      expect(readTarHeader(header).type).toBe('x')
      const padded = new Uint8Array(512 * Math.ceil(body.length / 512))
      padded.set(new TextEncoder().encode(body))
      return gather([header, padded, tarHeader({ name: 'y', kind: 'file', size: 0 }), new Uint8Array(1024)])
    }
    expect(await refusal(read(await pax('10 path=z\n')))).toBeUndefined()
    for (const body of ['99 path=z\n', 'x path=z\n', '0 path=z\n', '10 pathhz\n', '11 size=-1\n', '12 size=1e9\n9']) {
      expect(await refusal(read(await pax(body)))).toBe('bad-tar')
    }
    expect(await refusal(read(await pax('', 5_000_000)))).toBe('bad-tar')
  })
})
