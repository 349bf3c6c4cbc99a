import { CID } from 'multiformats/cid'
import * as Digest from 'multiformats/hashes/digest'
import { ContentError } from './errors.ts'
import { sha256 } from './sha256.ts'

/** CIDv1, sha2-256, codec raw or dag-pb. CIDv0 is accepted but never created. */
export type Cid = CID

/** A block: bytes with their CID. */
export interface Block {
  cid: Cid
  bytes: Uint8Array
}

export const RAW = 0x55
export const DAG_PB = 0x70
export const SHA2_256 = 0x12

/** Larger blocks are refused: this package creates blocks up to 1 MiB, IPFS transfers up to 2 MiB. */
export const MAX_BLOCK_SIZE = 2 * 1024 * 1024

/** Parses a CID (base32, base36 or base58). Throws ContentError 'bad-cid'. */
export function parseCid(text: string): Cid {
  // Supported forms are far shorter.
  if (typeof text !== 'string' || text.length === 0 || text.length > 128) throw badCid(String(text).slice(0, 128))
  let cid: CID
  try {
    cid = CID.parse(text)
  } catch (error) {
    throw badCid(text, error)
  }
  try {
    return supportedCid(cid)
  } catch (error) {
    throw badCid(text, error)
  }
}

/** The CID as text: base32 for v1, base58 for v0. */
export function cidText(cid: Cid): string {
  return cid.toString()
}

/** True if both identify the same bytes with the same codec; v0 and v1 of one dag-pb block are equal. */
export function sameCid(a: Cid, b: Cid): boolean {
  return a.code === b.code && sameBytes(a.multihash.bytes, b.multihash.bytes)
}

/** The CID of the bytes as one raw block: `bafkrei…`. */
export async function rawCid(bytes: Uint8Array): Promise<Cid> {
  return cidOfDigest(RAW, await sha256(bytes))
}

/** The multihash in hex: `1220` and 64 digits. */
export function multihashHex(cid: Cid): string {
  return Array.from(cid.multihash.bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A CIDv1 from a codec and a 32-byte sha2-256 digest. */
export function cidOfDigest(codec: typeof RAW | typeof DAG_PB, digest: Uint8Array): Cid {
  return CID.createV1(codec, Digest.create(SHA2_256, digest))
}

/** Decodes a CID from bytes; `length` is the number of bytes it took. Throws ContentError 'bad-cid' or 'unsupported'. */
export function decodeCid(bytes: Uint8Array): { cid: Cid; length: number } {
  try {
    const [cid, rest] = CID.decodeFirst(bytes)
    return { cid: supportedCid(cid), length: bytes.length - rest.length }
  } catch (error) {
    if (error instanceof ContentError) throw error
    throw new ContentError('bad-cid', 'not a CID', { cause: error })
  }
}

/** Returns the CID if its hash and codec are supported. Throws ContentError 'unsupported'. */
export function supportedCid(cid: CID): Cid {
  if (cid.multihash.code !== SHA2_256 || cid.multihash.digest.length !== 32) {
    throw new ContentError('unsupported', `only sha2-256 is supported, not hash 0x${cid.multihash.code.toString(16)}`)
  }
  if (cid.code !== RAW && cid.code !== DAG_PB) {
    throw new ContentError('unsupported', `only raw and dag-pb are supported, not codec 0x${cid.code.toString(16)}`)
  }
  return cid
}

/** True if both byte arrays are equal. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function badCid(text: string, cause?: unknown): ContentError {
  return new ContentError('bad-cid', `not a CID: ${JSON.stringify(text)}`, { cause })
}
