/** What other modules do with nodes; the table is written by this one. (Its columns on owners are written by `devices`.) */
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
