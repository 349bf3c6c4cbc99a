import type { FolderPlan } from '@tidenet/content/folder'
import type { ByteSource } from '../bytes.ts'

const PIECE = 1 << 20

/** The archive of a folder as bytes that can be read from any place, while the files are read from where they lie. */
export function archiveSource(plan: FolderPlan, name: string): ByteSource {
  /** Where the last reading stopped: the next one usually goes on there, and would otherwise read a large file again from its start. */
  let open: { at: number; rest: Uint8Array; pieces: AsyncIterator<Uint8Array> } | undefined

  return {
    name,
    size: plan.carSize,
    modified: 0,
    async *read(start, end) {
      const reading =
        open?.at === start
          ? open
          : { at: start, rest: new Uint8Array(0), pieces: plan.car({ start })[Symbol.asyncIterator]() }
      if (reading !== open) await open?.pieces.return?.()
      open = undefined
      let whole = false
      try {
        while (reading.at < end) {
          // Frames are small: they go out together, a megabyte at a time.
          const piece = new Uint8Array(Math.min(PIECE, end - reading.at))
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
        if (whole && end < plan.carSize) open = reading
        else await reading.pieces.return?.()
      }
    },
  }
}
