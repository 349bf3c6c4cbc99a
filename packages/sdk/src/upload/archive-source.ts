import type { FolderPlan } from '@tidenet/content/folder'
import type { ByteSource } from '../bytes.ts'

const PIECE = 1 << 20

/** The CAR archive of a folder as a source that can be read from any offset; files are read on demand. */
export function archiveSource(plan: FolderPlan, name: string): ByteSource {
  /** Position of the last read. The next one usually continues there; otherwise a large file would be read again from its start. */
  let lastRead: { at: number; rest: Uint8Array; pieces: AsyncIterator<Uint8Array> } | undefined

  return {
    name,
    size: plan.carSize,
    modified: 0,
    async *read(start, end, { transient = false } = {}) {
      // As for files: two buffers in turn instead of one for each piece.
      const two = transient ? [new Uint8Array(PIECE), new Uint8Array(PIECE)] : []
      let turn = 0
      const reading =
        lastRead?.at === start
          ? lastRead
          : { at: start, rest: new Uint8Array(0), pieces: plan.car({ start })[Symbol.asyncIterator]() }
      if (reading !== lastRead) await lastRead?.pieces.return?.()
      lastRead = undefined
      let whole = false
      try {
        while (reading.at < end) {
          // Block headers are small: they are combined into pieces of 1 MiB.
          const length = Math.min(PIECE, end - reading.at)
          const piece = two[turn++ % 2]?.subarray(0, length) ?? new Uint8Array(length)
          let filled = 0
          while (filled < piece.length) {
            if (reading.rest.length === 0) {
              const next = await reading.pieces.next()
              if (next.done) throw new Error('the folder has changed')
              reading.rest = next.value
            }
            const part = reading.rest.subarray(0, piece.length - filled)
            piece.set(part, filled)
            filled += part.length
            reading.rest = reading.rest.subarray(part.length)
          }
          reading.at += piece.length
          yield piece
        }
        whole = true
      } finally {
        if (whole && end < plan.carSize) lastRead = reading
        else await reading.pieces.return?.()
      }
    },
  }
}
