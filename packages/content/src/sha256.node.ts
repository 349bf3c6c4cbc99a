import { createHash, hash as digestOf } from 'node:crypto'
import type { ChunkDigester, OnDigest } from './sha256-digests.ts'

/** SHA-256 of `bytes`: 32 bytes. Synchronous in Node.js. */
export function sha256(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  return plain(digestOf('sha256', bytes, 'buffer'))
}

/** Hashes in place without copying. */
export function createChunkDigester(chunkSize: number, onDigest: OnDigest): ChunkDigester {
  let hash = createHash('sha256')
  let filled = 0
  let chunks = 0

  function finishChunk(): void {
    onDigest(plain(hash.digest()), filled)
    chunks++
    hash = createHash('sha256')
    filled = 0
  }

  return {
    update(bytes) {
      let at = 0
      while (at < bytes.length) {
        const take = Math.min(chunkSize - filled, bytes.length - at)
        hash.update(take === bytes.length ? bytes : bytes.subarray(at, at + take))
        filled += take
        at += take
        if (filled === chunkSize) finishChunk()
      }
    },
    end() {
      if (filled > 0 || chunks === 0) finishChunk()
    },
  }
}

function plain(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}
