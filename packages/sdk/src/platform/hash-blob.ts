import { createFileHasher } from '@tidenet/content'
import { MD5_SLICE } from '@tidenet/contract/constants'
import type { IHasher } from 'hash-wasm'

/** Request to the hashing worker, and its messages. */
export interface HashRequest {
  blob: Blob
  md5: boolean
}

export type HashMessage = { hashed: number } | { cid: string; md5: string } | { failed: string }

/** MD5 in WebAssembly; undefined if the page may not use it, since MD5 is optional. */
export async function startMd5(): Promise<IHasher | undefined> {
  try {
    const { createMD5 } = await import('hash-wasm')
    return (await createMD5()).init()
  } catch {
    return undefined
  }
}

/** Computes CID and MD5 of a Blob, reading slices of 20 MiB. */
export async function hashBlob(
  { blob, md5 }: HashRequest,
  onHashed: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<{ cid: string; md5: string }> {
  const hasher = createFileHasher()
  const sum = md5 ? await startMd5() : undefined
  const read = (at: number) => {
    const slice = blob.slice(at, at + MD5_SLICE).arrayBuffer()
    // Avoid an unhandled rejection if the slice is not awaited.
    slice.catch(() => {})
    return slice
  }
  let ahead = read(0)
  for (let at = 0; at < blob.size; at += MD5_SLICE) {
    const slice = new Uint8Array(await ahead)
    signal?.throwIfAborted()
    ahead = read(at + MD5_SLICE)
    // WebCrypto hashes on other threads, so MD5 runs in the meantime.
    const hashed = hasher.update(slice)
    sum?.update(slice)
    await hashed
    onHashed(at + slice.length)
  }
  const { cid } = await hasher.finish()
  return { cid: cid.toString(), md5: sum?.digest('hex') ?? '' }
}
