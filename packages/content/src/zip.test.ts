import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Entry, fromBufferPromise, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { crc32 } from './crc32.ts'
import { countingBytes } from './seeded.fixture.ts'
import { createZip } from './zip.ts'

/** Bytes of which long runs of zeros are only counted. */
class Sparse extends RandomAccessReader {
  size = 0
  #parts: { at: number; bytes: Uint8Array }[] = []
  put(bytes: Uint8Array) {
    this.#parts.push({ at: this.size, bytes: bytes.slice() })
    this.size += bytes.length
  }
  skip(bytes: number) {
    this.size += bytes
  }
  override _readStreamForRange(start: number, end: number): Readable {
    const range = Buffer.alloc(end - start)
    for (const { at, bytes } of this.#parts)
      if (at < end && at + bytes.length > start)
        range.set(bytes.subarray(Math.max(0, start - at), Math.max(0, end - at)), Math.max(0, at - start))
    return Readable.from([range])
  }
}

const reading = { lazyEntries: true, autoClose: false }

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) entries.push(entry)
  return entries
}

const contentOf = async (zip: ZipFile, entry: Entry | undefined): Promise<Buffer> =>
  buffer(await zip.openReadStreamPromise(entry as Entry))

const text = (value: string) => new TextEncoder().encode(value)

/** The CRC-32 that gzip computes. */
const expectedCrc = (bytes: Uint8Array) => gzipSync(bytes).readUInt32LE(gzipSync(bytes).length - 8)

describe('a checksum', () => {
  it('is the one of gzip, also in pieces of any length', () => {
    for (const length of [0, 1, 7, 8, 9, 1000, 4099]) {
      const bytes = countingBytes(length, length)
      expect(crc32(bytes)).toBe(expectedCrc(bytes))
      expect(crc32(bytes.subarray(5), crc32(bytes.subarray(0, 5)))).toBe(expectedCrc(bytes))
    }
  })
})

describe('a ZIP', () => {
  it('contains files, in memory or streamed, and folders, with names in UTF-8', async () => {
    const zip = createZip()
    const out = new Sparse()
    const [small, streamed] = [text('low tide'), countingBytes(100_000, 3)]
    out.put(zip.folder('Holiday/empty'))
    out.put(zip.file('Holiday/小.txt', small.length, small))
    zip.add(small)
    out.put(small)
    out.put(zip.endFile())
    out.put(zip.file('Holiday/🌊.bin', streamed.length))
    for (const piece of [streamed.subarray(0, 333), streamed.subarray(333)]) {
      zip.add(piece)
      out.put(piece)
    }
    out.put(zip.endFile())
    for (const bytes of zip.end()) out.put(bytes)

    const read = await fromRandomAccessReaderPromise(out, out.size, reading)
    const entries = await entriesOf(read)
    expect(entries.map(({ fileName }) => fileName)).toEqual(['Holiday/empty/', 'Holiday/小.txt', 'Holiday/🌊.bin'])
    expect(entries.map(({ crc32: crc }) => crc)).toEqual([0, expectedCrc(small), expectedCrc(streamed)])
    expect((await contentOf(read, entries[1])).equals(small)).toBe(true)
    expect((await contentOf(read, entries[2])).equals(streamed)).toBe(true)
  })

  it('may exceed 4 GiB, in one file and in the places of others', { tags: ['long'], timeout: 120_000 }, async () => {
    const zip = createZip()
    const out = new Sparse()
    const zeros = new Uint8Array(1 << 26)
    const size = 2 ** 32 + zeros.length
    out.put(zip.file('large.bin', size))
    for (let sent = 0; sent < size; sent += zeros.length) {
      zip.add(zeros)
      out.skip(zeros.length)
    }
    out.put(zip.endFile())
    const last = text('beyond')
    out.put(zip.file('last.txt', last.length, last))
    zip.add(last)
    out.put(last)
    out.put(zip.endFile())
    for (const bytes of zip.end()) out.put(bytes)

    const read = await fromRandomAccessReaderPromise(out, out.size, reading)
    const [large, small] = await entriesOf(read)
    expect(large).toMatchObject({ uncompressedSize: size, compressedSize: size, relativeOffsetOfLocalHeader: 0 })
    expect(small?.relativeOffsetOfLocalHeader).toBeGreaterThan(2 ** 32)
    expect((await contentOf(read, small)).toString()).toBe('beyond')
  })

  it('may have more than 65,535 entries', async () => {
    const zip = createZip()
    const headers = Array.from({ length: 70_000 }, (_, number) => zip.folder(`${number}`))
    const entries = await entriesOf(await fromBufferPromise(Buffer.concat([...headers, ...zip.end()]), reading))
    expect(entries.length).toBe(70_000)
    expect(entries.at(-1)?.fileName).toBe('69999/')
  })

  it('is refused contents of another size, and paths that are too long', () => {
    const zip = createZip()
    zip.file('a', 3)
    zip.add(text('ab'))
    expect(() => zip.endFile()).toThrow()
    expect(() => createZip().folder('x'.repeat(65_536))).toThrow()
  })
})
