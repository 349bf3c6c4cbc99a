import { sha256 } from '@noble/hashes/sha2.js'
import { nodeIdOf } from '@tidenet/contract/node/identity'
import { receivedText, sentText } from '@tidenet/contract/node/received'
import { type AnchorProblem, anchorProblem } from './anchor.ts'
import { fromBase64, fromBase64url, isEqual, toHex, utf8 } from './bytes.ts'
import type { ChainLookup } from './chain.ts'
import { type ClaimsOf, type ReceiptClaims, receiptClaims } from './claims.ts'
import { isSigned } from './ed25519.ts'
import { type Anchor, type FileProblem, type ReceiptFile, readReceiptFile } from './file.ts'
import type { NetworkIdentity, NetworkKey } from './identity.ts'
import { decodeUtf8, parseJson } from './json.ts'
import { type Jws, parseJws } from './jws.ts'
import { hashLeaf, rootOfInclusion } from './merkle.ts'
import { type Checkpoint, checkNote, type Note, parseCheckpoint, parseNote } from './note.ts'

/** The checks, in this order. `reader` and `node` only of a download; `block` only if there is an anchor. */
export interface Reasons {
  /** The form of the file. */
  file: FileProblem
  /** The key is that of the expected network. */
  network: 'foreign' | 'validity' | 'no_key'
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
  /** The operators signed a transaction with this checkpoint in its memo. */
  anchor: AnchorProblem | 'no_anchor' | 'no_checkpoint'
  /** A block of the chain that the user named contains the transaction. */
  block: 'absent' | 'height' | 'not_asked' | 'other_chain' | 'pruned' | 'unreachable'
}
export type CheckName = keyof Reasons

/** A check that is not asked passes and fails nothing: what it needs is missing. */
export type Check = {
  [N in CheckName]: { name: N; state: 'passed' } | { name: N; state: 'failed' | 'not_asked'; reason: Reasons[N] }
}[CheckName]

/** Without keys, the result cannot be better than `unknown_network`; without addresses, no receipt is `anchored`. */
export interface VerifyOptions extends Partial<NetworkIdentity> {
  /** Where the transaction of the anchor is looked up. */
  chain?: ChainLookup
}

/** What a receipt can prove, each more than the one before. */
export const LEVELS = ['signed', 'logged', 'anchored', 'on_chain'] as const
export type Level = (typeof LEVELS)[number]

export interface Verification {
  /** `valid`: nothing failed, and the key is that of an expected network. */
  result: 'valid' | 'unknown_network' | 'invalid'
  checks: Check[]
  /**
   * What is proven; empty unless the result is `valid`. `signed` by the network; `logged`: in its log; `anchored`: by an address of its
   * operators; `on_chain`: in a block of the chain that the user named.
   */
  proven: Level[]
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
  if ('reason' in read)
    return { result: 'invalid', checks: [{ name: 'file', state: 'failed', reason: read.reason }], proven: [] }
  const { file } = read
  const key = fromBase64url(file.key) ?? new Uint8Array()
  const jws = parseJws(file.receipt)
  const claims = jws && readClaims(jws)
  const note = parseNote(file.checkpoint)
  const checkpoint = note && parseCheckpoint(note.text)
  const checks: Check[] = [
    { name: 'file', state: 'passed' },
    checkNetwork(file.key, claims, options.keys),
    result('signature', await signatureProblem(jws, file.key, key)),
    jws ? result('claims', claims ? undefined : 'claims') : notAsked('claims', 'no_receipt'),
    claims ? result('index', claims.index === file.proof.index ? undefined : 'index') : notAsked('index', 'no_claims'),
    ...(claims?.kind === 'download' ? await checkDownload(claims) : []),
    result('checkpoint', await checkpointProblem(note, checkpoint, claims, key)),
    checkpoint ? result('inclusion', inclusionProblem(file, checkpoint)) : notAsked('inclusion', 'no_checkpoint'),
    ...(await checkAnchor(file.anchor, checkpoint, options)),
  ]
  const hasPassed = (wanted: CheckName) => checks.some(({ name, state }) => name === wanted && state === 'passed')
  const hasFailed = checks.some(({ state }) => state === 'failed')
  const outcome = hasFailed ? 'invalid' : hasPassed('network') ? 'valid' : 'unknown_network'
  const levels = [true, hasPassed('inclusion'), hasPassed('anchor'), hasPassed('block')]
  const first = levels.indexOf(false)
  return {
    result: outcome,
    checks,
    proven: outcome === 'valid' ? LEVELS.slice(0, first < 0 ? undefined : first) : [],
    file,
    ...(claims && { claims }),
    ...(checkpoint && { checkpoint }),
  }
}

const result = <N extends CheckName>(name: N, reason: Reasons[N] | undefined): Check =>
  (reason === undefined ? { name, state: 'passed' } : { name, state: 'failed', reason }) as Check
const notAsked = <N extends CheckName>(name: N, reason: Reasons[N]): Check =>
  ({ name, state: 'not_asked', reason }) as Check

function checkNetwork(key: string, claims: ReceiptClaims | undefined, known: readonly NetworkKey[] = []): Check {
  if (known.length === 0) return notAsked('network', 'no_key')
  const own = known.filter((each) => each.key === key)
  if (own.length === 0) return result('network', 'foreign')
  const isValid = ({ from = 0, until = Number.POSITIVE_INFINITY }: NetworkKey) =>
    !claims || (claims.iat >= from && claims.iat <= until)
  return result('network', own.some(isValid) ? undefined : 'validity')
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
  { anchors = [], chain }: VerifyOptions,
): Promise<Check[]> {
  if (!anchor) return [notAsked('anchor', 'no_anchor')]
  const block = await checkBlock(anchor, chain)
  if (!checkpoint) return [notAsked('anchor', 'no_checkpoint'), block]
  const problem = anchorProblem(anchor, checkpoint, anchors)
  return [problem === 'no_operator' ? notAsked('anchor', problem) : result('anchor', problem), block]
}

/** A chain that does not answer, or another one, proves nothing and refutes nothing. */
async function checkBlock({ chain: id, hash, height }: Anchor, chain: ChainLookup | undefined): Promise<Check> {
  if (!chain) return notAsked('block', 'not_asked')
  try {
    const status = await chain.status()
    if (status.chain !== id) return notAsked('block', 'other_chain')
    const found = await chain.find(hash)
    if (found) return result('block', found.height === height ? undefined : 'height')
    return height < status.earliest ? notAsked('block', 'pruned') : result('block', 'absent')
  } catch {
    return notAsked('block', 'unreachable')
  }
}
