import type { ChunkDigester, OnDigest } from './sha256-digests.ts'

type Digest = (bytes: Uint8Array) => Promise<Uint8Array>

let chosen: Digest | undefined

/** SHA-256 of `bytes`: 32 bytes. Uses WebCrypto, or wasm on pages without it (plain HTTP). */
export function sha256(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  chosen ??= globalThis.crypto?.subtle ? withWebCrypto : withWasm
  return chosen(bytes)
}

async function withWebCrypto(bytes: Uint8Array): Promise<Uint8Array> {
  // WebCrypto copies its input at once, so callers may reuse the buffer; it refuses shared memory.
  const input = bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', input))
}

async function withWasm(bytes: Uint8Array): Promise<Uint8Array> {
  const copy = bytes.slice()
  const { createSHA256 } = await import('hash-wasm')
  return (await createSHA256()).init().update(copy).digest('binary')
}

/** Chunks contained in one update are hashed in place, in parallel; only chunks that span updates are copied. */
export function createChunkDigester(chunkSize: number, onDigest: OnDigest): ChunkDigester {
  let gathered: Uint8Array | undefined
  let filled = 0
  let chunks = 0

  async function report(digests: (Uint8Array | Promise<Uint8Array>)[], sizes: number[]): Promise<void> {
    const done = await Promise.all(digests)
    done.forEach((digest, index) => {
      onDigest(digest, sizes[index]!)
    })
  }

  return {
    update(bytes) {
      const digests: (Uint8Array | Promise<Uint8Array>)[] = []
      let at = 0
      while (at < bytes.length) {
        if (filled === 0 && bytes.length - at >= chunkSize) {
          digests.push(sha256(bytes.subarray(at, at + chunkSize)))
          at += chunkSize
          continue
        }
        gathered ??= new Uint8Array(chunkSize)
        const take = Math.min(chunkSize - filled, bytes.length - at)
        gathered.set(bytes.subarray(at, at + take), filled)
        filled += take
        at += take
        if (filled === chunkSize) {
          digests.push(sha256(gathered))
          filled = 0
        }
      }
      chunks += digests.length
      if (digests.length > 0)
        return report(
          digests,
          digests.map(() => chunkSize),
        )
    },
    end() {
      if (filled === 0 && chunks > 0) return
      const rest = gathered?.subarray(0, filled) ?? new Uint8Array(0)
      return report([sha256(rest)], [rest.length])
    },
  }
}
