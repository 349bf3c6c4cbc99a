import { type Cid, multihashHex, parseCid } from '@tidenet/content/cid'
import { AppError } from '@tidenet/contract'

/** Normalizes a CID to version 1, base32. @throws AppError badCid */
export function readCid(text: string): { text: string; hash: string; cid: Cid } {
  try {
    const cid = parseCid(text.trim()).toV1()
    return { text: cid.toString(), hash: multihashHex(cid), cid }
  } catch {
    throw new AppError('badCid')
  }
}
