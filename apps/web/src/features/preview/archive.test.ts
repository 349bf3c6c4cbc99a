import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type ArchiveListing, ENTRIES_MAX, listTar, listTarGz, listZip, NotAnArchive } from './archive.ts'

type List = (size: number, read: (start: number, end: number) => Promise<Uint8Array>) => Promise<ArchiveListing>

/** Lists an archive, and counts the bytes read. */
async function listed(list: List, bytes: Uint8Array) {
  let read = 0
  const found = await list(bytes.length, async (start, end) => {
    read += end - start
    return bytes.subarray(start, end)
  })
  return { ...found, read }
}

interface Zipped {
  name: string | Buffer
  size?: number
  flags?: number
  extra?: Buffer
}

/** A zip without contents: its directory and its end. */
function zip(
  entries: readonly Zipped[],
  { before = 0, count = entries.length, offset = before, comment = '' } = {},
): Buffer {
  const directory = Buffer.concat(
    entries.map(({ name, size = 0, flags = 0, extra = Buffer.alloc(0) }) => {
      const bytes = Buffer.from(name as string)
      const head = Buffer.alloc(46)
      head.writeUInt32LE(0x02014b50)
      head.writeUInt16LE(flags, 8)
      head.writeUInt32LE(size, 24)
      head.writeUInt16LE(bytes.length, 28)
      head.writeUInt16LE(extra.length, 30)
      return Buffer.concat([head, bytes, extra])
    }),
  )
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([Buffer.alloc(before), directory, end, Buffer.from(comment)])
}

interface Tarred {
  name: string
  size?: number
  type?: string
  body?: Buffer
}

function tar(entries: readonly Tarred[], end = true): Buffer {
  const parts = entries.flatMap(({ name, body = Buffer.alloc(0), size = body.length, type = '0' }) => {
    const head = Buffer.alloc(512)
    head.write(name, 0, 100)
    head.write(`${size.toString(8).padStart(11, '0')} `, 124)
    head.write('        ', 148)
    head.write(type, 156)
    head.write('ustar\u000000', 257)
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    return [head, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...parts, ...(end ? [Buffer.alloc(1024)] : [])])
}

const names = ({ entries }: ArchiveListing) => entries.map(({ name }) => name)

describe('the contents of a zip', () => {
  it('are names, sizes, folders and what is protected', async () => {
    const bytes = zip([
      { name: 'a/', flags: 0x800 },
      { name: 'a/潮.txt', size: 7, flags: 0x800 },
      { name: 'secret', size: 9, flags: 1 },
    ])
    const { entries, cut } = await listed(listZip, bytes)
    expect(cut).toBe(false)
    expect(entries).toEqual([
      { name: 'a/', folder: true, size: 0, encrypted: false },
      { name: 'a/潮.txt', folder: false, size: 7, encrypted: false },
      { name: 'secret', folder: false, size: 9, encrypted: true },
    ])
  })

  it('are listed from the end of a large file, with a comment', async () => {
    const bytes = zip([{ name: 'a' }], { before: 5_000_000, comment: 'PK\u0005\u0006 is no end' })
    const found = await listed(listZip, bytes)
    expect(names(found)).toEqual(['a'])
    expect(found.read).toBeLessThan(70_000)
  })

  it('may have names in other encodings, and sizes of zip64', async () => {
    const extra = Buffer.alloc(12)
    extra.writeUInt16LE(1)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(5_000_000_000n, 4)
    const { entries } = await listed(
      listZip,
      zip([{ name: Buffer.from([0xb3, 0xb1, 0xcf, 0xab]) }, { name: 'big', size: 0xffffffff, extra }]),
    )
    expect(entries.map(({ name, size }) => [name, size])).toEqual([
      ['潮汐', 0],
      ['big', 5_000_000_000],
    ])
  })

  it('are never unpacked, and a long list is cut', async () => {
    const entries = Array.from({ length: ENTRIES_MAX + 10 }, () => ({ name: 'bomb', size: 0xfffffffe }))
    const found = await listed(listZip, zip(entries, { count: ENTRIES_MAX + 10 }))
    expect(found.entries).toHaveLength(ENTRIES_MAX)
    expect(found.cut).toBe(true)
  })

  it.each([
    ['other bytes', Buffer.alloc(3000, 'tide')],
    ['an empty file', Buffer.alloc(0)],
    ['a cut file', zip([{ name: 'a' }, { name: 'b' }]).subarray(0, 60)],
    ['a directory outside the file', zip([{ name: 'a' }], { offset: 4_000_000_000 })],
    ['more entries than fit', zip([{ name: 'a' }], { count: 60_000 })],
    ['a number of entries that needs zip64', zip([{ name: 'a' }], { count: 0xffff })],
  ])('are refused of %s', async (_, bytes) => {
    await expect(listed(listZip, bytes)).rejects.toThrow(NotAnArchive)
  })
})

describe('the contents of a tar', () => {
  it('are names, sizes and folders, as tar programs write them', async () => {
    const bytes = execFileSync('tar', ['-cf', '-', '-C', import.meta.dirname, 'archive.ts', 'paths.ts'])
    const found = await listed(listTar, bytes)
    expect(names(found)).toEqual(['archive.ts', 'paths.ts'])
    expect(found.entries.every(({ size, folder }) => size > 0 && !folder)).toBe(true)
  })

  it('are listed without the files in it', async () => {
    const bytes = tar([
      { name: 'film.mp4', body: Buffer.alloc(6_000_000) },
      { name: 'folder/', type: '5' },
      { name: 'end.txt', body: Buffer.from('x') },
    ])
    const found = await listed(listTar, bytes)
    expect(names(found)).toEqual(['film.mp4', 'folder/', 'end.txt'])
    expect(found.read).toBeLessThan(1_000_000)
  })

  it('may have long names', async () => {
    const long = `${'深'.repeat(80)}.txt`
    const line = ` path=${long}\n`
    const length = Buffer.byteLength(line) + 3
    const pax = Buffer.from(`${length}${line}`)
    const bytes = tar([
      { name: 'pax', type: 'x', body: pax },
      { name: 'short', body: Buffer.from('a') },
      { name: '././@LongLink', type: 'L', body: Buffer.from(`${'a'.repeat(200)}\0`) },
      { name: 'short', body: Buffer.from('b') },
    ])
    expect(names(await listed(listTar, bytes))).toEqual([long, 'a'.repeat(200)])
  })

  it('are listed when it is compressed', async () => {
    const bytes = gzipSync(tar([{ name: 'a', body: Buffer.alloc(3000) }, { name: 'b' }]))
    expect(names(await listed(listTarGz, bytes))).toEqual(['a', 'b'])
  })

  it('are cut when unpacking would take too much', async () => {
    const size = 300 << 20
    const bytes = gzipSync(
      Buffer.concat([tar([{ name: 'bomb', size }], false), Buffer.alloc(size), tar([{ name: 'b' }])]),
      {
        level: 1,
      },
    )
    const found = await listed(listTarGz, bytes)
    expect(names(found)).toEqual(['bomb'])
    expect(found.cut).toBe(true)
  })

  it.each<[string, List, Buffer]>([
    ['other bytes', listTar, Buffer.alloc(3000, 'tide')],
    ['an empty file', listTar, Buffer.alloc(0)],
    ['a wrong checksum', listTar, Buffer.from(tar([{ name: 'a' }])).fill('z', 0, 3)],
    ['attributes of many bytes', listTar, tar([{ name: 'x', type: 'x', size: 1 << 30 }])],
    ['bytes that are not compressed', listTarGz, tar([{ name: 'a' }])],
    ['a compressed text', listTarGz, gzipSync(Buffer.alloc(3000, 'tide'))],
  ])('are refused of %s', async (_, list, bytes) => {
    await expect(listed(list, bytes)).rejects.toThrow(NotAnArchive)
  })
})
