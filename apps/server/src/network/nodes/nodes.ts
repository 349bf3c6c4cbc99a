/** Only this module writes the table `nodes`, except the owner columns, which `devices` writes. */
export {
  deleteNodes,
  findLongOffline,
  type HeartbeatRow,
  type HeartbeatStats,
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
