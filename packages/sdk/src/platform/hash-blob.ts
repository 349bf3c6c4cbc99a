import { createFileHasher } from '@tidenet/content'
import { MD5_SLICE } from '@tidenet/contract/constants'
import type { IHasher } from 'hash-wasm'

/** What a worker is asked, and what it says. */
export interface HashRequest {
  blob: Blob
  md5: boolean
}

export type HashMessage = { hashed: number } | { cid: string; md5: string } | { failed: string }

/** MD5 by WebAssembly; undefined where a page may not use it: then there is no MD5, which is but a hint. */
export async function startMd5(): Promise<IHasher | undefined> {
  try {
    const { createMD5 } = await import('hash-wasm')
    return (await createMD5()).init()
  } catch {
    return undefined
  }
}

/** Names a Blob by CID and MD5, reading it in slices of 20 MiB. */
export async function hashBlob(
  { blob, md5 }: HashRequest,
  onHashed: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<{ cid: string; md5: string }> {
  const hasher = createFileHasher()
  const sum = md5 ? await startMd5() : undefined
  const read = (at: number) => {
    const slice = blob.slice(at, at + MD5_SLICE).arrayBuffer()
    // A slice that nobody waits for any more may fail.
    slice.catch(() => {})
    return slice
  }
  let ahead = read(0)
  for (let at = 0; at < blob.size; at += MD5_SLICE) {
    const slice = new Uint8Array(await ahead)
    signal?.throwIfAborted()
    ahead = read(at + MD5_SLICE)
    // WebCrypto hashes on threads of its own, so the MD5 is made meanwhile.
    const named = hasher.update(slice)
    sum?.update(slice)
    await named
    onHashed(at + slice.length)
  }
  const { cid } = await hasher.finish()
  return { cid: cid.toString(), md5: sum?.digest('hex') ?? '' }
}
