import { type Cid, rawCid, sameCid } from '@tidenet/content'

/**
 * Whether a file has no bytes, of which nodes can send none. Its CID proves it, or the block that led to it as a path; the portal's word does
 * not.
 * @param file.size of the block that led to the path
 */
export const isProvenEmpty = async (root: Cid, { path, size }: { path: string; size: number }): Promise<boolean> =>
  path === '' ? sameCid(root, await rawCid(new Uint8Array(0))) : size === 0
