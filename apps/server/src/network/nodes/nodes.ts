export {
  countriesOfNodes,
  deleteNodes,
  findLongOffline,
  type HeartbeatRow,
  type HeartbeatStats,
  knownNodes,
  lockOffline,
  markLost,
  publicKeyOf,
  returnToService,
  setNodeNote,
  takeOutOfService,
  upsertNode,
  writeHeartbeats,
} from './repository.ts'
export {
  claimForAudit,
  findFailing,
  lowerQuality,
  moveQuality,
  recordOutcomes,
  restoreStanding,
} from './standing-repository.ts'
