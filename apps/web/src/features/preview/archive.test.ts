import { describe, expect, it } from 'vitest'
import { type ArchiveListing, ENTRIES_MAX, listTar, listTarGz, listZip, NotAnArchive } from './archive.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const other = () => encode('tide'.repeat(750))

async function gzip(parts: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> {
  const packed = new Blob([...parts]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

type List = (size: number, read: (start: number, end: number) => Promise<Uint8Array>) => Promise<ArchiveListing>

/** Lists an archive, and counts the bytes read. */
async function listed(list: List, bytes: Uint8Array) {
  let read = 0
  const found = await list(bytes.length, async (start, end) => {
    if (start > end || end > bytes.length) throw new RangeError(`${start} to ${end} of ${bytes.length}`)
    read += end - start
    return bytes.subarray(start, end)
  })
  return { ...found, read }
}

interface Zipped {
  name: string | Uint8Array
  size?: number
  flags?: number
  extra?: Uint8Array
}

/** A zip without contents: its directory and its end. */
function zip(
  entries: readonly Zipped[],
  more: { before?: number; count?: number; offset?: number; comment?: string } = {},
): Uint8Array {
  const { before = 0, count = entries.length, offset = before, comment = '' } = more
  const directory = join(
    entries.map(({ name, size = 0, flags = 0, extra = new Uint8Array(0) }) => {
      const bytes = typeof name === 'string' ? encode(name) : name
      const head = new DataView(new ArrayBuffer(46))
      head.setUint32(0, 0x02014b50, true)
      head.setUint16(8, flags, true)
      head.setUint32(24, size, true)
      head.setUint16(28, bytes.length, true)
      head.setUint16(30, extra.length, true)
      return join([new Uint8Array(head.buffer), bytes, extra])
    }),
  )
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(10, Math.min(count, 0xffff), true)
  end.setUint32(12, directory.length, true)
  end.setUint32(16, offset, true)
  end.setUint16(20, comment.length, true)
  return join([new Uint8Array(before), directory, new Uint8Array(end.buffer), encode(comment)])
}

interface Tarred {
  name: string
  size?: number
  type?: string
  body?: Uint8Array
}

function tar(entries: readonly Tarred[], end = true): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap(({ name, body = new Uint8Array(0), size = body.length, type = '0' }) => {
    const head = new Uint8Array(512)
    const write = (text: string, at: number) => head.set(encode(text), at)
    write(name, 0)
    write(`${size.toString(8).padStart(11, '0')} `, 124)
    write('        ', 148)
    write(type, 156)
    write('ustar\u000000', 257)
    const sum = head.reduce((total, byte) => total + byte, 0)
    write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [head, body, new Uint8Array((512 - (body.length % 512)) % 512)]
  })
  return join([...parts, new Uint8Array(end ? 1024 : 0)])
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
    const field = new DataView(new ArrayBuffer(12))
    field.setUint16(0, 1, true)
    field.setUint16(2, 8, true)
    field.setBigUint64(4, 5_000_000_000n, true)
    const extra = new Uint8Array(field.buffer)
    const { entries } = await listed(
      listZip,
      zip([{ name: new Uint8Array([0xb3, 0xb1, 0xcf, 0xab]) }, { name: 'big', size: 0xffffffff, extra }]),
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
    ['other bytes', other()],
    ['an empty file', new Uint8Array(0)],
    ['a cut file', zip([{ name: 'a' }, { name: 'b' }]).subarray(0, 60)],
    ['a directory outside the file', zip([{ name: 'a' }], { offset: 4_000_000_000 })],
    ['more entries than fit', zip([{ name: 'a' }], { count: 60_000 })],
    ['a number of entries that needs zip64', zip([{ name: 'a' }], { count: 0xffff })],
  ])('are refused of %s', async (_, bytes) => {
    await expect(listed(listZip, bytes)).rejects.toThrow(NotAnArchive)
  })
})

describe('the contents of a tar', () => {
  it('are listed without the files in it', async () => {
    const bytes = tar([
      { name: 'film.mp4', body: new Uint8Array(6_000_000) },
      { name: 'folder/', type: '5' },
      { name: 'end.txt', body: encode('x') },
    ])
    const found = await listed(listTar, bytes)
    expect(names(found)).toEqual(['film.mp4', 'folder/', 'end.txt'])
    expect(found.read).toBeLessThan(1_000_000)
  })

  it('are listed if the last file is cut off', async () => {
    const bytes = tar([{ name: 'a' }, { name: 'film.mp4', size: 1 << 30 }], false)
    expect(names(await listed(listTar, bytes))).toEqual(['a', 'film.mp4'])
  })

  it('may have long names', async () => {
    const long = `${'深'.repeat(80)}.txt`
    const line = ` path=${long}\n`
    const length = encode(line).length + 3
    const pax = encode(`${length}${line}`)
    const bytes = tar([
      { name: 'pax', type: 'x', body: pax },
      { name: 'short', body: encode('a') },
      { name: '././@LongLink', type: 'L', body: encode(`${'a'.repeat(200)}\0`) },
      { name: 'short', body: encode('b') },
    ])
    expect(names(await listed(listTar, bytes))).toEqual([long, 'a'.repeat(200)])
  })

  it('are listed when it is compressed', async () => {
    const bytes = await gzip([tar([{ name: 'a', body: new Uint8Array(3000) }, { name: 'b' }])])
    expect(names(await listed(listTarGz, bytes))).toEqual(['a', 'b'])
  })

  it('are cut when unpacking would take too much', { tags: ['long'] }, async () => {
    const mebibyte = new Uint8Array(1 << 20)
    const zeros = Array.from({ length: 300 }, () => mebibyte)
    const bytes = await gzip([tar([{ name: 'bomb', size: 300 << 20 }], false), ...zeros, tar([{ name: 'b' }])])
    const found = await listed(listTarGz, bytes)
    expect(names(found)).toEqual(['bomb'])
    expect(found.cut).toBe(true)
  })

  const changed = tar([{ name: 'a' }])
  changed.fill(122, 0, 3)
  it.each<[string, List, () => Uint8Array | Promise<Uint8Array>]>([
    ['other bytes', listTar, other],
    ['an empty file', listTar, () => new Uint8Array(0)],
    ['a wrong checksum', listTar, () => changed],
    ['attributes of many bytes', listTar, () => tar([{ name: 'x', type: 'x', size: 1 << 30 }])],
    ['bytes that are not compressed', listTarGz, () => tar([{ name: 'a' }])],
    ['a compressed text', listTarGz, () => gzip([other()])],
  ])('are refused of %s', async (_, list, make) => {
    await expect(listed(list, await make())).rejects.toThrow(NotAnArchive)
  })
})
