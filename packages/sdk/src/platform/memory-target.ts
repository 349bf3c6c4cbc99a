import type { MemoryTarget } from './platform.ts'

/** Collects a download in memory. `spill`: converts pieces to Blobs at once, which browsers may move to disk. */
export function memoryTarget({ spill = false } = {}): MemoryTarget {
  let pieces = new Map<number, BlobPart[]>()
  let size = 0
  return {
    async write(written, position) {
      pieces.set(position, spill ? [new Blob(written as BlobPart[])] : (written as BlobPart[]))
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
      const blob = new Blob(parts, { type: 'application/octet-stream' })
      if (blob.size !== size) throw new Error('a piece is missing')
      return blob
    },
  }
}
