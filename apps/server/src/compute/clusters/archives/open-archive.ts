import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type CheckedImage, openImageArchive } from './image-archive.ts'
import { ArchiveError } from './read-tar.ts'

/** An image archive on this machine's disk until it is closed. */
export interface OpenArchive extends CheckedImage {
  close(): Promise<void>
}

/** A copy of this age belongs to a server that was killed. */
const ABANDONED_MS = 12 * 3600_000

/**
 * Stores an archive in a private folder and checks it. A whole archive may be compressed with gzip.
 * @param folder created if missing
 * @param source its end means that it was verified
 * @throws ArchiveError for its owner; errors of the source unchanged
 */
export async function openArchive(
  folder: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<OpenArchive> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandoned(folder)
  const own = await mkdtemp(join(folder, 'image-'))
  const close = () => rm(own, { recursive: true, force: true })
  try {
    const path = join(own, 'image.tar')
    const { first, all } = await peek(source)
    const unzip = first[0] === 0x1f && first[1] === 0x8b ? [createGunzip()] : []
    await pipeline([Readable.from(all), ...unzip, limited(maxBytes), createWriteStream(path, { mode: 0o600 })])
    return { ...(await openImageArchive(path, { unpackedBytes: maxBytes })), close }
  } catch (error) {
    await close()
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? new ArchiveError('damaged') : error
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

function limited(maxBytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      if (size > maxBytes) return done(new ArchiveError('archiveLarge', String(Math.floor(maxBytes / 1024 ** 2))))
      done(null, chunk)
    },
  })
}

async function peek(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]()
  const { value: first = new Uint8Array(), done } = await iterator.next()
  async function* all() {
    try {
      if (done) return
      yield first
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { first, all: all() }
}
