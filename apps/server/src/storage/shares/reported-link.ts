import { hashToken } from '../../platform/token-hash.ts'
import { findAssetById } from '../assets/assets.ts'
import type { Db } from '../context.ts'
import { findByToken } from '../links/short-links.ts'

/** The CID of the file that a short link opens; undefined if there is no such link, or if it opens a folder. */
export async function contentOfShortLink(db: Db, token: string): Promise<string | undefined> {
  const link = await findByToken(db, hashToken(token))
  if (!link || link.asset_id === null) return undefined
  return (await findAssetById(db, link.user_id, link.asset_id))?.cid
}
