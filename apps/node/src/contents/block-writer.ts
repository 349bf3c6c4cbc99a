import { type FileHandle, open } from 'node:fs/promises'

const BLOCK = 1 << 20
const IN_FLIGHT = 2
/**
 * The disk is asked to take what came after each of these, so that the last sync of a very large file takes no minutes. Not more
 * often: a sync under way holds up the writes behind it, and costs three times their CPU.
 */
const FLUSH = 1 << 30
/** A sender of tiny chunks must not make us hold a million of them. */
const CHUNKS_MAX = 512

/** Appends to a file in large blocks: three times as fast as a default write stream. */
export interface BlockWriter {
  /** Bytes taken so far, including those the file had when it was opened. */
  readonly size: number
  /** The part of them, from the start, that is in the file for certain: after a failure less than `size`. */
  readonly landed: number
  /** Takes the chunk and keeps it; resolves when there is room for more. Rejects when the disk refused earlier bytes. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** Everything written and on the disk itself. */
  sync(): Promise<void>
  /** Gives the file back; what was not yet written is lost. */
  close(): Promise<void>
}

/** @param at bytes of the file that stay; 0 makes it anew */
export async function openBlockWriter(path: string, at = 0): Promise<BlockWriter> {
  const file = await open(path, at > 0 ? 'r+' : 'w')
  if (at > 0) await file.truncate(at)
  return blockWriter(file, at)
}

function blockWriter(file: FileHandle, start: number): BlockWriter {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let size = start
  let failure: unknown
  let sound = Number.POSITIVE_INFINITY
  let flushed = start
  let flushing: Promise<void> | undefined
  /** Writes under way, with where they begin. */
  const flying = new Map<Promise<void>, number>()
  const fail = (error: unknown, position: number) => {
    failure ??= error
    sound = Math.min(sound, position)
  }

  const launch = () => {
    if (waitingBytes === 0) return
    const chunks = waiting
    const position = size - waitingBytes
    waiting = []
    waitingBytes = 0
    const flight: Promise<void> = writeAll(file, chunks, position)
      .catch((error: unknown) => fail(error, position))
      .finally(() => flying.delete(flight))
    flying.set(flight, position)
    if (position - flushed >= FLUSH && !flushing) {
      flushed = position
      flushing = file
        .datasync()
        .catch((error: unknown) => fail(error, start))
        .finally(() => {
          flushing = undefined
        })
    }
  }
  const room = async () => {
    while (flying.size >= IN_FLIGHT) await Promise.race(flying.keys())
    if (failure) throw failure
  }

  return {
    get size() {
      return size
    },
    get landed() {
      return Math.min(sound, size - waitingBytes, ...flying.values())
    },
    write(chunk) {
      waiting.push(chunk)
      waitingBytes += chunk.length
      size += chunk.length
      if (waitingBytes < BLOCK && waiting.length < CHUNKS_MAX) return undefined
      launch()
      return failure || flying.size >= IN_FLIGHT ? room() : undefined
    },
    async sync() {
      launch()
      await Promise.all([...flying.keys(), flushing])
      if (failure) throw failure
      try {
        await file.sync()
      } catch (error) {
        fail(error, start)
        throw error
      }
    },
    async close() {
      if (waitingBytes > 0) sound = Math.min(sound, size - waitingBytes)
      waiting = []
      waitingBytes = 0
      await Promise.all([...flying.keys(), flushing])
      await file.close()
    },
  }
}

async function writeAll(file: FileHandle, chunks: Uint8Array[], position: number): Promise<void> {
  let rest = chunks
  let at = position
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest, at)
    at += bytesWritten
    rest = after(rest, bytesWritten)
  }
}

/** What a short write left over. */
function after(chunks: Uint8Array[], written: number): Uint8Array[] {
  let skip = written
  for (const [index, chunk] of chunks.entries()) {
    if (skip < chunk.length) return [chunk.subarray(skip), ...chunks.slice(index + 1)]
    skip -= chunk.length
  }
  return []
}
