import { readCid } from '../../platform/cids.ts'
import type { AssetKey } from './repository.ts'

/** Reads the fields by which a call names an entry. @throws AppError badCid */
export const readKey = (cid: string, assetId?: number): AssetKey => ({ cid: readCid(cid).text, assetId })
