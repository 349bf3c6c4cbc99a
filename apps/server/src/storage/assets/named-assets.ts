import type { contract, Parsed } from '@tidenet/contract'
import { readCid } from '../../platform/cids.ts'
import type { Db } from '../../platform/db/db.ts'
import { type Entry, findNamedEntries, type Holder } from './repository.ts'

type Items = Pick<Parsed<(typeof contract)['trash']['put']>, 'assets' | 'asset_ids'>

/** Whether a call names files, by CID or by id. */
export const hasAssets = ({ assets, asset_ids }: Items): boolean => assets.length > 0 || asset_ids.length > 0

/** @throws AppError badCid */
export const readAssets = ({ assets, asset_ids }: Items): Items => ({
  assets: [...new Set(assets.map((cid) => readCid(cid).text))],
  asset_ids: [...new Set(asset_ids)],
})

interface Named {
  /** What names it in the result. */
  id: string
  asset_id?: number
  /** Undefined: the account has no such entry. */
  entry: Entry | undefined
}

/** The entries that a call for many of them names, in its order; those outside the folders of a key do not exist for it. An entry that is named twice is two items. */
export async function namedAssets(db: Db, holder: Holder, { assets, asset_ids }: Items): Promise<Named[]> {
  const { byCid, byId } = await findNamedEntries(db, holder, { cids: assets, ids: asset_ids })
  return [
    ...assets.map((cid) => ({ id: cid, entry: byCid.get(cid) })),
    ...asset_ids.map((id) => ({ id: String(id), asset_id: id, entry: byId.get(id) })),
  ]
}
