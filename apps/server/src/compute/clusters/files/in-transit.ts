import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { cidText, createFileHasher } from '@tidenet/content'
import { ArchiveError, type TarHeader } from '../archives/read-tar.ts'
import { Stopped } from './remote-folder.ts'

/** Bytes on their way between a program and the storage. */

/** Waited for this long in all, and for the time of its bytes: a program that pretends to be tar keeps the place of others. */
const STALL_MS = 60_000
const BYTES_A_MS = 100

export const noSpace = (path: string): Stopped =>
  new Stopped('failed', `The server has too little free disk space to copy ${shown(path)}.`)

/** Without control characters, for a page. */
export const shown = (path: string): string => path.replaceAll(/\p{C}/gu, '\uFFFD').slice(0, 300)

/** Progress is also reported while nothing moves. */
export function whenMoved(onBytes: () => void): (progress: { loaded: number }) => void {
  let last = 0
  return ({ loaded }) => {
    if (loaded !== last) onBytes()
    last = loaded
  }
}

/** Reads a file of this machine. */
export async function* readSpool(path: string, onBytes: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) {
    onBytes()
    yield chunk
  }
}

/** Writes the content to a file of this machine, if one is named. @returns its CID */
export async function spoolFile({ path: name, content }: TarHeader, path?: string): Promise<string> {
  const hasher = createFileHasher()
  const file = path === undefined ? undefined : await open(path, 'w', 0o600)
  try {
    for await (const chunk of content) {
      await hasher.update(chunk)
      // Unlike `write`, it writes all of it or fails.
      await file?.appendFile(chunk)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw noSpace(name)
    throw error
  } finally {
    await file?.close()
  }
  return cidText((await hasher.finish()).cid)
}

/** Fails if the source is larger, or slower than any disk: only the time counts in which we wait for it. @throws ArchiveError */
export async function* limit(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onBytes: () => void,
): AsyncGenerator<Uint8Array> {
  const stream = Readable.from(source)
  let [bytes, waited] = [0, 0]
  const iterator = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const start = performance.now()
      const stalled = new Promise<never>((_, reject) => {
        const left = STALL_MS + bytes / BYTES_A_MS - waited
        timer = setTimeout(() => reject(new ArchiveError('silent')), left)
      })
      const next = await Promise.race([iterator.next(), stalled])
        .catch((error: Error) => {
          throw error instanceof ArchiveError ? error : new ArchiveError('source', error.message)
        })
        .finally(() => clearTimeout(timer))
      if (next.done) return
      waited += performance.now() - start
      bytes += next.value.length
      if (bytes > maxBytes) throw new ArchiveError('programFiles')
      onBytes()
      yield next.value
    }
  } finally {
    stream.destroy()
  }
}
