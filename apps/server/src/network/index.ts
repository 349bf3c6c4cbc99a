/** What other domains may use. */
export { lastEnded } from './nodes/ended-shares.ts'
export { fetchNode, readNode } from './nodes/fetch-node.ts'
export { mapOf, mapPoints } from './nodes/map.ts'
export { type NodeRow, nodeTable } from './nodes/node-table.ts'
export { readerAddress, type ShareGrant, signDownloadToken, signUploadToken } from './nodes/node-tokens.ts'
export { isReceiptOf, readReceipt } from './nodes/signatures.ts'
export { chooseUploadNodes, orderSources } from './placement/choose.ts'
export { recordTransfers } from './traffic/record.ts'
