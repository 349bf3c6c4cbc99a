import type { Gathering } from './platform.ts'

/** Keeps what is written in memory, as it came. */
export function gatherInMemory(type = 'application/octet-stream'): Gathering {
  let pieces = new Map<number, Uint8Array[]>()
  let size = 0
  return {
    async write(written, position) {
      pieces.set(position, written)
    },
    async commit(final) {
      size = final
    },
    async abort() {
      pieces = new Map()
    },
    async blob() {
      const parts = [...pieces]
        .filter(([position]) => position < size)
        .sort(([a], [b]) => a - b)
        .flatMap(([, parts]) => parts)
      const blob = new Blob(parts as BlobPart[], { type })
      if (blob.size !== size) throw new Error('a piece is missing')
      return blob
    },
  }
}
