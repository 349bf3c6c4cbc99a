/** Assets and reservations of accounts, for the other modules of storage. */

export { emitDeleted } from './emit-deleted.ts'
export * as endings from './endings-repository.ts'
export { findFormerReceipts } from './former-repository.ts'
export { countByCountry, findHoldersOfAccount } from './info-repository.ts'
export * as keys from './keys-repository.ts'
export { listAsset, receiptOf } from './list-asset.ts'
export {
  type AssetKey,
  type AssetRow,
  addDownload,
  deleteAsset,
  deleteAssetsIn,
  deleteFulfilled,
  deleteInFoldersReturning,
  deleteOldReservations,
  deleteReservations,
  deleteReservationsIn,
  deleteReservationsOf,
  deleteReturning,
  deleteSomeAssets,
  deleteSomeReservations,
  downloadsOf,
  type Entry,
  findAsset,
  findAssetById,
  findAssetWithin,
  findByMd5,
  findEntries,
  findExpired,
  findListed,
  findNamedEntries,
  findOldReservations,
  findReservedContents,
  findUnencrypted,
  insertAssets,
  liftRestriction,
  liftRestrictions,
  lockDownloads,
  lockExpired,
  md5Of,
  moveAssets,
  type NewAsset,
  type ReservationRow,
  renameAsset,
  reserve,
  reservedFor,
  restoreAsset,
  restoreAssets,
  restrictAssets,
  setAreas,
  setContent,
  setFolder,
  setShared,
  stillListed,
  trashedColumns,
} from './repository.ts'
export * as versions from './versions-repository.ts'
