/** The interface of this domain for other domains. */

export { nodeHours } from './audits/node-hours.ts'
export { auditOnRequest, canCheck, isCheckable } from './audits/owner-checks.ts'
export {
  type BlockRow,
  blockContent,
  blockedAmong,
  currentBlock,
  isBlocked,
  liftBlock,
  pageOfBlocks,
  requireNotBlocked,
} from './blocks/blocks.ts'
export { certificateFigures, certificatesOf } from './certificates/service.ts'
export { countOwnDevices, unlinkDevicesOf } from './devices/owned.ts'
export { transferredLately } from './explorer/repository.ts'
export { countryOfAddress } from './nodes/address-countries.ts'
export { isCountry } from './nodes/countries.ts'
export { lastEnded } from './nodes/ended-shares.ts'
export { fetchNode, readNode } from './nodes/fetch-node.ts'
export { nodeFigures, usedShare } from './nodes/figures.ts'
export {
  assumedFirstByte,
  expectedFirstByte,
  type FirstByteSample,
  type FirstBytes,
  findFirstBytes,
  recordFirstBytes,
  SLOTS as FIRST_BYTE_SLOTS,
} from './nodes/first-bytes.ts'
export { mapOf, mapPoints } from './nodes/map.ts'
export { assignArea, updateArea } from './nodes/node-areas.ts'
export { isTrusted, type NodeRow, nodeTable } from './nodes/node-table.ts'
export {
  copyAddress,
  decoyReceiptKey,
  readerAddress,
  type ShareGrant,
  signJoinToken,
  signUploadToken,
} from './nodes/node-tokens.ts'
export {
  countriesOfNodes,
  devicesOf,
  isNewEdge,
  knownNodes,
  namesOfNodes,
  ownedSince,
  ownerOf,
  publicKeyOf,
  publicKeysOf,
  recordTransferReport,
  returnToService,
  setNodeNote,
  takeOutOfService,
} from './nodes/nodes.ts'
export { type DeviceProblem, devicesOfOwners, ownersAfter } from './nodes/notices.ts'
export { findNode, lockNodeForNoKeyUpdate, type NodeDetails, pageOfNodes } from './nodes/operators-view.ts'
export { countDevices } from './nodes/owners.ts'
export { isReceiptOf, readReceipt } from './nodes/signatures.ts'
export {
  type AuditedHour,
  findAuditedHours,
  findTrafficStanding,
  type TrafficStanding,
} from './nodes/traffic-standing.ts'
export type { Copy, Demand, NearArea, Reader } from './placement/demand.ts'
export * as placement from './placement/placement.ts'
export { DEFENDED, type Policy } from './policy.ts'
export { recordPaidDownloads } from './relays/relayed.ts'
export { recordTransfers } from './traffic/record.ts'
