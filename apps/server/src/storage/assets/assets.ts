/** Assets and reservations of accounts, for the other modules of storage. */

export { emitDeleted } from './emit-deleted.ts'
export { countByCountry, findHoldersOfAccount } from './info-repository.ts'
export { listAsset } from './list-asset.ts'
export {
  type AssetRow,
  addDownload,
  deleteAsset,
  deleteAssetsIn,
  deleteInFoldersReturning,
  deleteOldReservation,
  deleteReservation,
  deleteReservations,
  deleteReservationsIn,
  deleteReturning,
  downloadsOf,
  findAsset,
  findExpired,
  findOldReservations,
  findOwned,
  liftRestriction,
  lockDownloads,
  lockExpired,
  moveAssets,
  renameAsset,
  reserve,
  reservedFor,
  restoreAsset,
  restoreAssets,
  restrictAssets,
  setAreas,
  setFolder,
  setShared,
  trashedColumns,
} from './repository.ts'
