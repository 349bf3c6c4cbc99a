/**
 * Which nodes hold a content, which should, and what is known of the content itself. Nothing outside this folder knows how that is
 * kept: others use what is listed here.
 */

/** What audits look at, and what they find. */
export { acceptFound, doubtReplicas, findWaiting, pickReplicas, withoutCopies } from './audit-repository.ts'
/** Decisions about nodes, without the database. */
export { chooseUploadNodes, orderSources } from './choose.ts'
/** What is known of contents. */
export {
  addSoleNode,
  type Content,
  checkContents,
  checkHeldBy,
  correctContent,
  endSole,
  enterContent,
  findContents,
  holdContent,
  isSizeKnown,
  lockContents,
  lockToRelease,
  setSole,
  totals,
  totalsHeld,
  wantedOf,
} from './contents-repository.ts'
/** Where copies are. */
export {
  concerned,
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
  heldPairs,
  isHeld,
  lockGoneEdges,
  type Overview,
  onInvited,
  outweighs,
  type Sought,
  wasFetched,
} from './copies-repository.ts'
/** What nodes report. */
export { afterReport, type ReplicaChange } from './replica-states.ts'
export {
  addCopy,
  changeReplicas,
  endWaits,
  lockReplicas,
  missingReplicas,
  noteMissing,
  releaseCopies,
  removeCopies,
  replicasAmong,
  restoreReplicas,
  spreadFurther,
} from './repository.ts'
/** What has been waited for too long. */
export { endGrudges, expireLeases, giveUpAway } from './watch.ts'
/** What nodes have to do. */
export { pullSources, renewLeases, type SourceRow, takeReplicas, withReplicasDue } from './work-repository.ts'
