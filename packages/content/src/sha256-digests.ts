/**
 * Cuts a byte stream into chunks of one size (the last may be shorter) and hashes each. `update` and `end` are synchronous if the
 * platform's SHA-256 is; otherwise await each call.
 */
export interface ChunkDigester {
  update(bytes: Uint8Array): void | Promise<void>
  /** Hashes the rest. An empty stream is one empty chunk. */
  end(): void | Promise<void>
}

/** Receives the 32-byte digest and the length of each chunk, in order. */
export type OnDigest = (digest: Uint8Array, size: number) => void
