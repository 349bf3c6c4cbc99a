/**
 * Which nodes hold a content, which should, and what is known of the content itself. Nothing outside this folder knows how that is
 * kept: others use what is listed here.
 */

/** What audits look at, and what they find. */
export { findWaiting, markSuspect, pickReplicas, recordPassed, withoutCopies } from './audit-repository.ts'
/** Decisions about nodes, without the database. */
export { chooseUploadNodes, orderSources } from './choose.ts'
/** What is known of contents. */
export {
  addSoleHolderNode,
  type Content,
  checkContents,
  checkReplicasOf,
  clearSoleHolder,
  correctContent,
  findContents,
  isSizeKnown,
  lockContent,
  lockContents,
  lockToRelease,
  setSoleHolder,
  totals,
  totalsHeld,
  upsertContent,
  wantedOf,
} from './contents-repository.ts'
/** Where copies are. */
export {
  countByNode,
  countHeldByCountry,
  countReplicas,
  countriesHolding,
  findCopies,
  findHolders,
  findHoldings,
  findOverviews,
  findReplicaPage,
  findReplicas,
  findServing,
  hasCopies,
  heldByInvited,
  heldPairs,
  isHeld,
  lockGoneEdges,
  nodesWithReplica,
  type Overview,
  outranksHolders,
  type Sought,
  wasPulledByInvited,
} from './copies-repository.ts'
/** What nodes report. */
export { afterReport, type ReplicaChange } from './replica-states.ts'
export {
  addCopy,
  changeReplicas,
  clearRetries,
  lockReplicas,
  missingReplicas,
  notifyWaitingNodes,
  recordMissing,
  releaseCopies,
  removeCopies,
  replicasAmong,
  restoreReplicas,
} from './repository.ts'
/** What has been waited for too long. */
export { endBackoffs, expireLeases, loseOfflineReplicas } from './watch.ts'
/** What nodes have to do. */
export { claimReplicas, nodesWithReplicasDue, pullSources, renewLeases, type SourceRow } from './work-repository.ts'
