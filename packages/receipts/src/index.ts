export { anchorMemo } from './anchor.ts'
export { type ChainLookup, chainAt } from './chain.ts'
export * from './claims.ts'
export { compareReceipts, isContradiction, type Relation, type RelationKind } from './compare.ts'
export { checkDay, computedHours, type DayCheck, type ShownStatement } from './earnings/check-day.ts'
export * from './earnings/index.ts'
export { type RecomputedFile, recomputeFiles } from './earnings/recompute-files.ts'
export { isUsableKey } from './ed25519.ts'
export { type Fact, type FactForm, type FactName, factsOf } from './facts.ts'
export { type Anchor, anchorSchema, FILE_BYTES_MAX, fileSchema, proofSchema, type ReceiptFile } from './file.ts'
export {
  type AnchorAddress,
  formatAnchorAddress,
  identityIn,
  isIncomplete,
  KEYS_PATH,
  type NetworkIdentity,
  type NetworkKey,
  NO_IDENTITY,
  parseAnchorAddress,
  remember,
  storedIdentity,
} from './identity.ts'
export { receiptKeyId, signingInput } from './jws.ts'
export { hashLeaf, hashNode, isConsistent, rootOfInclusion, type Tree } from './merkle.ts'
export {
  type Checkpoint,
  checkNote,
  checkpointText,
  noteKeyId,
  parseCheckpoint,
  parseNote,
  signedNote,
} from './note.ts'
export type { ReceiptTexts } from './texts-en.ts'
export {
  type Check,
  type CheckName,
  LEVELS,
  type Level,
  type Reasons,
  type Verification,
  type VerifyOptions,
  verifyReceipt,
} from './verify.ts'
