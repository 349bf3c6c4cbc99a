export {
  findDevices as devicesOf,
  findNodeHours,
  type HourFilter,
  type NodeHourRow,
  type Period,
} from './hours-repository.ts'
export { type Probed, setReached, setUnreachable, startDueProbes, startProbe } from './reachability-repository.ts'
export {
  countCheck,
  type RateSample,
  recordComplaints,
  recordRates,
  recordTransferReport,
  type TransferReport,
} from './reports-repository.ts'
export {
  countriesOfNodes,
  deleteNodes,
  edgesBeyond,
  findLongOffline,
  type HeartbeatRow,
  type HeartbeatStats,
  isNewEdge,
  knownNodes,
  lockOffline,
  markLost,
  namesOfNodes,
  ownedSince,
  ownerOf,
  publicKeyOf,
  publicKeysOf,
  returnToService,
  setNodeNote,
  takeOutOfService,
  upsertNode,
  writeHeartbeats,
} from './repository.ts'
export {
  type AuditTarget,
  claimForAudit,
  findAuditTargets,
  findEdgeRelays,
  findFailing,
  findInvitedRelays,
  randomWait,
  recordOutcomes,
  recordReachedVia,
  restoreStanding,
} from './standing-repository.ts'
export {
  applyChange,
  countHeldBack,
  findDueChanges,
  STANDING_CHANGES,
  trackAbnormal,
  VIA_MS,
} from './vetting-repository.ts'
