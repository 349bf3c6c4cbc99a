import { sha256 } from '@noble/hashes/sha2.js'
import { nodeIdOf } from '@tidenet/contract/node/identity'
import { receivedText, sentText } from '@tidenet/contract/node/received'
import { type AnchorProblem, anchorProblem } from './anchor.ts'
import { fromBase64, fromBase64url, isEqual, toHex, utf8 } from './bytes.ts'
import { type ClaimsOf, type ReceiptClaims, receiptClaims } from './claims.ts'
import { isSigned } from './ed25519.ts'
import { type Anchor, type FileProblem, type ReceiptFile, readReceiptFile } from './file.ts'
import { decodeUtf8, parseJson } from './json.ts'
import { type Jws, parseJws } from './jws.ts'
import { hashLeaf, rootOfInclusion } from './merkle.ts'
import { type Checkpoint, checkNote, type Note, parseCheckpoint, parseNote } from './note.ts'

/** The checks, in this order. `reader` and `node` only of a download; `block` only if there is an anchor. */
export interface Reasons {
  /** The form of the file. */
  file: FileProblem
  /** The key is that of the expected network. */
  network: 'foreign' | 'no_key'
  signature: 'jws' | 'header' | 'signature'
  /** The claims have the shape of their kind. */
  claims: 'claims' | 'no_receipt'
  /** The receipt and the proof name the same leaf. */
  index: 'index' | 'no_claims'
  reader: 'signature'
  node: 'node_id' | 'signature'
  /** The checkpoint is signed by the same network, for the same log. */
  checkpoint: 'note' | 'origin' | 'unsigned' | 'signature'
  /** The receipt is in the tree of the checkpoint. */
  inclusion: 'size' | 'proof' | 'root' | 'no_checkpoint'
  /** The anchor is a signed transaction with this checkpoint in its memo. */
  anchor: AnchorProblem | 'no_anchor' | 'no_checkpoint'
  /** A block of the chain contains the transaction. */
  block: 'absent' | 'height' | 'not_asked'
}
export type CheckName = keyof Reasons

/** A check that is not asked passes and fails nothing: what it needs is missing. */
export type Check = {
  [N in CheckName]: { name: N; state: 'passed' } | { name: N; state: 'failed' | 'not_asked'; reason: Reasons[N] }
}[CheckName]

export interface VerifyOptions {
  /** Public keys of the expected network, base64url. Without any, the result cannot be better than `unknown_network`. */
  keys?: readonly string[]
  /** Address of the operators on the chain, if known. */
  operator?: string
  /** Looks a transaction up; undefined if no block contains it. Rejects if the chain does not answer. */
  findTransaction?: (hash: string) => Promise<{ height: number } | undefined>
}

export interface Verification {
  /** `valid`: nothing failed, and the key is that of an expected network. */
  result: 'valid' | 'unknown_network' | 'invalid'
  checks: Check[]
  /** What the receipt says, if it has the shape of its kind. Proven only if the result is `valid`. */
  claims?: ReceiptClaims
  /** What the file says about itself. */
  file?: ReceiptFile
  checkpoint?: Checkpoint
}

/** @param bytes of a receipt file, or its text */
export async function verifyReceipt(bytes: Uint8Array | string, options: VerifyOptions = {}): Promise<Verification> {
  // A longer text cannot be shorter in UTF-8, so it is not encoded.
  const read = readReceiptFile(typeof bytes === 'string' ? utf8(bytes) : bytes)
  if ('reason' in read) return { result: 'invalid', checks: [{ name: 'file', state: 'failed', reason: read.reason }] }
  const { file } = read
  const key = fromBase64url(file.key) ?? new Uint8Array()
  const jws = parseJws(file.receipt)
  const claims = jws && readClaims(jws)
  const note = parseNote(file.checkpoint)
  const checkpoint = note && parseCheckpoint(note.text)
  const checks: Check[] = [
    { name: 'file', state: 'passed' },
    checkNetwork(file.key, options.keys),
    result('signature', await signatureProblem(jws, file.key, key)),
    jws ? result('claims', claims ? undefined : 'claims') : notAsked('claims', 'no_receipt'),
    claims ? result('index', claims.index === file.proof.index ? undefined : 'index') : notAsked('index', 'no_claims'),
    ...(claims?.kind === 'download' ? await checkDownload(claims) : []),
    result('checkpoint', await checkpointProblem(note, checkpoint, claims, key)),
    checkpoint ? result('inclusion', inclusionProblem(file, checkpoint)) : notAsked('inclusion', 'no_checkpoint'),
    ...(await checkAnchor(file.anchor, checkpoint, options)),
  ]
  const isKnown = checks.some(({ name, state }) => name === 'network' && state === 'passed')
  const hasFailed = checks.some(({ state }) => state === 'failed')
  return {
    result: hasFailed ? 'invalid' : isKnown ? 'valid' : 'unknown_network',
    checks,
    file,
    ...(claims && { claims }),
    ...(checkpoint && { checkpoint }),
  }
}

const result = <N extends CheckName>(name: N, reason: Reasons[N] | undefined): Check =>
  (reason === undefined ? { name, state: 'passed' } : { name, state: 'failed', reason }) as Check
const notAsked = <N extends CheckName>(name: N, reason: Reasons[N]): Check =>
  ({ name, state: 'not_asked', reason }) as Check

function checkNetwork(key: string, known: readonly string[] = []): Check {
  if (known.length === 0) return notAsked('network', 'no_key')
  return result('network', known.includes(key) ? undefined : 'foreign')
}

function readClaims({ payload }: Jws): ReceiptClaims | undefined {
  const text = decodeUtf8(payload)
  const parsed = text === undefined ? undefined : parseJson(text)
  return parsed && 'value' in parsed ? receiptClaims.safeParse(parsed.value).data : undefined
}

async function signatureProblem(jws: Jws | undefined, name: string, key: Uint8Array) {
  if (!jws) return 'jws'
  if (!jws.hasHeader(name)) return 'header'
  return (await isSigned(key, jws.signed, jws.signature)) ? undefined : 'signature'
}

/** The network cannot invent a download: both sides signed it with keys that it does not have. */
async function checkDownload(claims: ClaimsOf<'download'>): Promise<Check[]> {
  const { trace, node, cid } = claims
  const isBy = (key: string, text: string, signature: string) =>
    isSigned(fromBase64url(key)!, utf8(text), fromBase64url(signature)!)
  const digest = toHex(sha256(fromBase64url(claims.node_key)!))
  const isItsKey = node === nodeIdOf(node.startsWith('e') ? 'edge' : 'candidate', digest)
  const [byReader, byNode] = await Promise.all([
    isBy(claims.reader_key, receivedText(trace, node, cid, claims.received), claims.reader_signature),
    isBy(claims.node_key, sentText(trace, node, cid, claims.sent), claims.node_signature),
  ])
  return [
    result('reader', byReader ? undefined : 'signature'),
    result('node', isItsKey ? (byNode ? undefined : 'signature') : 'node_id'),
  ]
}

async function checkpointProblem(
  note: Note | undefined,
  checkpoint: Checkpoint | undefined,
  claims: ReceiptClaims | undefined,
  key: Uint8Array,
) {
  if (!note || !checkpoint) return 'note'
  if (claims && claims.iss !== checkpoint.origin) return 'origin'
  const state = await checkNote(note, checkpoint.origin, key)
  return state === 'signed' ? undefined : state === 'unsigned' ? 'unsigned' : 'signature'
}

function inclusionProblem({ receipt, proof }: ReceiptFile, { size, root }: Checkpoint) {
  if (proof.size !== size) return 'size'
  const hashes = proof.hashes.map((hash) => fromBase64(hash)!)
  const found = rootOfInclusion(hashLeaf(utf8(receipt)), proof.index, size, hashes)
  if (!found) return 'proof'
  return isEqual(found, root) ? undefined : 'root'
}

async function checkAnchor(
  anchor: Anchor | null,
  checkpoint: Checkpoint | undefined,
  { operator, findTransaction }: VerifyOptions,
): Promise<Check[]> {
  if (!anchor) return [notAsked('anchor', 'no_anchor')]
  const own = checkpoint
    ? result('anchor', anchorProblem(anchor, checkpoint, operator))
    : notAsked('anchor', 'no_checkpoint')
  if (!findTransaction) return [own, notAsked('block', 'not_asked')]
  try {
    const found = await findTransaction(anchor.hash)
    return [own, result('block', !found ? 'absent' : found.height === anchor.height ? undefined : 'height')]
  } catch {
    return [own, notAsked('block', 'not_asked')]
  }
}
