/** The interface of placement: other modules use only what is exported here, never the tables `contents` and `replicas`. */

/** Audits. */
export {
  findClaimed,
  findFreshSmall,
  findToAudit,
  findWaiting,
  findWaitingFresh,
  pickReplicas,
  type ReplicaToAudit,
  recordFailed,
  recordPassed,
  someHolders,
  type WaitingAsk,
  withoutCopies,
} from './audit-repository.ts'
/** Choices of nodes, without the database. */
export { chooseUploadNodes } from './choose.ts'
export { orderSources } from './choose-sources.ts'
/** Contents. */
export {
  addEmptyContent,
  addSoleHolderNode,
  type Content,
  checkContents,
  checkReplicasOf,
  clearSoleHolder,
  correctContent,
  findContents,
  findKnownSizes,
  isSizeKnown,
  lockAllContents,
  lockContent,
  lockContents,
  lockToRelease,
  pageOfShort,
  setSoleHolder,
  totals,
  totalsHeld,
  upsertContent,
  upsertContents,
  wantedOf,
} from './contents-repository.ts'
/** Queries about copies. */
export {
  bytesHeld,
  type ContentQuery,
  type Copied,
  countByNode,
  countHeldByCountry,
  countReplicas,
  countriesHolding,
  countStored,
  countStoredIn,
  deleteReplicasOf,
  findCopies,
  findCopy,
  findHeld,
  findHolders,
  findHoldings,
  findOverviews,
  findReplicaPage,
  findReplicas,
  findServing,
  hasCopies,
  heldByInvited,
  heldPairs,
  isAvailable,
  isHeld,
  lockGoneEdges,
  nodesWithReplica,
  type Overview,
  outranksHolders,
  wasPulledByInvited,
} from './copies-repository.ts'
export type { Copy } from './demand.ts'
/** Copies lost in a period. */
export { findLostCopies } from './lost-copies.ts'
/** Reports of nodes. */
export { afterReport, type ReplicaChange } from './replica-states.ts'
export {
  addCopies,
  addCopy,
  changeReplicas,
  clearRetries,
  countNeeded,
  countOfNode,
  lockReplicas,
  missingReplicas,
  notifyWaitingNodes,
  recordMissing,
  releaseCopies,
  removeCopies,
  replicasAmong,
  restoreReplicas,
} from './repository.ts'
/** Timeouts. */
export { endBackoffs, expireLeases, loseOfflineReplicas } from './watch.ts'
/** Work of nodes. */
export { claimReplicas, nodesWithReplicasDue, pullSources, renewLeases, type SourceRow } from './work-repository.ts'
