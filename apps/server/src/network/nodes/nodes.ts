export { type Probed, setReached, setUnreachable, startDueProbes, startProbe } from './reachability-repository.ts'
export {
  type RateSample,
  recordComplaints,
  recordRate,
  recordTransferReport,
  type TransferReport,
} from './reports-repository.ts'
export {
  countriesOfNodes,
  deleteNodes,
  findLongOffline,
  type HeartbeatRow,
  type HeartbeatStats,
  knownNodes,
  lockOffline,
  markLost,
  ownerOf,
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
  recordOutcomes,
  restoreStanding,
} from './standing-repository.ts'
export {
  applyChange,
  findDueChanges,
  STANDING_CHANGES,
  trackAbnormal,
} from './vetting-repository.ts'
