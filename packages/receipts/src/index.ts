export { anchorMemo } from './anchor.ts'
export * from './claims.ts'
export { compareReceipts, isContradiction, type Relation, type RelationKind } from './compare.ts'
export { checkDay, computedHours, type DayCheck, type ShownStatement } from './earnings/check-day.ts'
export * from './earnings/index.ts'
export { isUsableKey } from './ed25519.ts'
export { type Fact, type FactForm, type FactName, factsOf } from './facts.ts'
export { type Anchor, anchorSchema, FILE_BYTES_MAX, fileSchema, proofSchema, type ReceiptFile } from './file.ts'
export { receiptKeyId, signingInput } from './jws.ts'
export { KEYS_PATH, receiptKeysIn } from './known-keys.ts'
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
  type Reasons,
  type Verification,
  type VerifyOptions,
  verifyReceipt,
} from './verify.ts'
