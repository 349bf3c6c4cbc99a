/** Assets of accounts and the room announced for them, for the other modules of storage. */
export {
  countByCountry,
  countReplicas,
  findHolders,
  findHoldersOfAccount,
  findReplicaPage,
  findReplicas,
  wantedOf,
} from './info-repository.ts'
export {
  type AssetRow,
  checkReplicas,
  countriesHolding,
  countriesOfNodes,
  deleteAsset,
  findAsset,
  holdContent,
  insertAsset,
  isHeld,
  renameAsset,
  reserve,
  reservedFor,
  setAreas,
  setFolder,
  takeReservation,
  visitsOf,
} from './repository.ts'
