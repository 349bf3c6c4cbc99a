/**
 * Cuts a byte stream into chunks of one size (the last one may be shorter) and digests each of them.
 * `update` and `end` are synchronous where the platform's sha2-256 is; otherwise await them one after the other.
 */
export interface ChunkDigester {
  update(bytes: Uint8Array): void | Promise<void>
  /** Digests what is left, also when the stream was empty: an empty file is one empty chunk. */
  end(): void | Promise<void>
}

/** Receives the 32-byte digest and the length of each chunk, in order. */
export type OnDigest = (digest: Uint8Array, size: number) => void
