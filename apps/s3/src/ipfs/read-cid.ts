import { bases } from 'multiformats/basics'
import { CID } from 'multiformats/cid'

export const RAW = 0x55
export const DAG_PB = 0x70
/** Codecs of documents, of which the gateway knows no more than their type. */
export const DOCUMENTS = {
  json: { code: 0x0200, type: 'application/json' },
  cbor: { code: 0x51, type: 'application/cbor' },
  'dag-json': { code: 0x0129, type: 'application/vnd.ipld.dag-json' },
  'dag-cbor': { code: 0x71, type: 'application/vnd.ipld.dag-cbor' },
} as const
export type DocumentFormat = keyof typeof DOCUMENTS
export const DOCUMENT_FORMATS = Object.keys(DOCUMENTS) as DocumentFormat[]
const SHA2_256 = 0x12
const IDENTITY = 0
/** As text; the longest identity CID in the least dense base that anybody uses. */
const CID_MAX = 300
/** Bytes of an identity CID. */
const IDENTITY_MAX = 128

/** Any CID that clients of IPFS send. */
export type AnyCid = CID

/** Reads a CID in any base. @returns undefined if it is not one */
export function readAnyCid(text: string): AnyCid | undefined {
  if (text.length === 0 || text.length > CID_MAX) return undefined
  try {
    if (text.startsWith('Qm')) return CID.parse(text)
    const base = Object.values(bases).find(({ prefix }) => prefix === text[0])
    if (!base) return undefined
    const cid = CID.parse(text, base.decoder)
    if (cid.multihash.code === IDENTITY && cid.multihash.digest.length > IDENTITY_MAX) return undefined
    return cid
  } catch {
    return undefined
  }
}

/** The bytes of a block that is its own CID; undefined for others. */
export const inlineBytes = (cid: AnyCid): Uint8Array | undefined =>
  cid.multihash.code === IDENTITY ? cid.multihash.digest : undefined

/** SHA-256 of the block; undefined for other hashes, which no content here has. */
export const digestOf = (cid: AnyCid): Uint8Array | undefined =>
  cid.multihash.code === SHA2_256 && cid.multihash.digest.length === 32 ? cid.multihash.digest : undefined
