import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type ChainPort, createOperator } from '@tidenet/chain-client'
import { nodeIdOf, receivedText, sentText } from '@tidenet/contract'
import { anchorMemo } from './anchor.ts'
import { toBase64 } from './bytes.ts'
import type { ClaimsOf, ReceiptClaims, ReceiptKind, Stated } from './claims.ts'
import type { Anchor, ReceiptFile } from './file.ts'
import type { NetworkIdentity } from './identity.ts'
import { receiptKeyId, signingInput } from './jws.ts'
import { hashLeaf, hashNode } from './merkle.ts'
import { type Checkpoint, checkpointText, signedNote } from './note.ts'

/** A network that issues receipts, in memory, and always the same ones. */

/** Monday, 2 March 2026. */
export const DAY = Date.UTC(2026, 2, 2) / 1000
export const CHAIN = 'tide-test-1'
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')
const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest()

export interface SampleKey {
  /** Raw, base64url. */
  publicKey: string
  raw: Uint8Array
  /** Base64url. */
  sign(text: string): string
}

export function sampleKey(seed: string): SampleKey {
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, sha256(seed)]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x as string
  return {
    publicKey,
    raw: Buffer.from(publicKey, 'base64url'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}

/** @param node seed of its key */
export const sampleNodeId = (node: string): string => nodeIdOf('edge', sha256(sampleKey(node).raw).toString('hex'))

export const SAMPLE_CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
const wallet = 'tide1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu'
const sub = '8d5f6f4e-1c2b-4d3a-9e8f-7a6b5c4d3e2f'

export function sampleDownload(received = 5_000_000, { sent = received, node = 'node', trace = 'trace-1' } = {}) {
  const [reader, sender, id] = [sampleKey('reader'), sampleKey(node), sampleNodeId(node)]
  return {
    kind: 'download',
    sub,
    node: id,
    trace,
    cid: SAMPLE_CID,
    reader_key: reader.publicKey,
    received,
    reader_signature: reader.sign(receivedText(trace, id, SAMPLE_CID, received)),
    node_key: sender.publicKey,
    sent,
    node_signature: sender.sign(sentText(trace, id, SAMPLE_CID, sent)),
    signed: Math.min(received, sent),
  } satisfies Stated<'download'>
}

const tx = sha256('a payment').toString('hex').toUpperCase()

/** One statement of each kind. */
export const SAMPLES: { readonly [K in ReceiptKind]: Stated<K> } = {
  upload: { kind: 'upload', sub, node: sampleNodeId('node'), cid: SAMPLE_CID, type: 'file', size: 1_048_576 },
  download: sampleDownload(),
  node_hour: {
    kind: 'node_hour',
    sub,
    node: sampleNodeId('node'),
    hour: DAY,
    trusted: true,
    passed: 3,
    failed: 0,
    audited: DAY + 1800,
    held: 40_000_000_000,
    online: 3600,
    crowd: 1,
    signed: 2_500_000_000,
    paid_share: 250_000,
  },
  order: { kind: 'order', sub, order: 'order-1', purpose: 'create', wallet, amount: 40, hours: 24, tx },
  refund: { kind: 'refund', sub, order: 'order-1', wallet, units: '12500000', decimals: 6, tx },
  outage: {
    kind: 'outage',
    sub,
    order: 'order-1',
    cause: 'cluster',
    from: DAY,
    to: DAY + 600,
    probes: 20,
    wallet,
    units: '11660000',
    decimals: 6,
  },
  claim: { kind: 'claim', sub, purpose: 'faucet', wallet, amount: 10, tx },
  earnings: {
    kind: 'earnings',
    sub,
    node: sampleNodeId('node'),
    day: '2026-03-02',
    traffic: 2_500_000,
    storage: 13_888,
    hours: [{ hour: DAY, version: 1, receipt: 1, traffic: 2_500_000, storage: 13_888 }],
  },
}

export interface SampleNetwork {
  origin: string
  key: SampleKey
  /** Appends a receipt. `claims` replaces some of the claims that the log adds. */
  issue<K extends ReceiptKind>(stated: Stated<K>, claims?: Partial<ClaimsOf<K>>): number
  /** Appends what a test made itself. */
  append(receipt: string): number
  sign(claims: object): string
  checkpoint(size?: number): Checkpoint
  note(checkpoint: Checkpoint): string
  /** The file of a receipt, in a tree of this size; by default of all receipts. */
  file(index: number, options?: { size?: number; anchor?: Anchor | null }): ReceiptFile
  anchor(checkpoint: Checkpoint): Promise<Anchor>
  /** What the network publishes: its key, and the address of the key that signs anchors. */
  identity: NetworkIdentity
}

export function createSampleNetwork(seed = 'network'): SampleNetwork {
  const key = sampleKey(seed)
  const origin = `tidenet-log-${sha256(`${seed} log`).toString('hex').slice(0, 8)}`
  const receipts: string[] = []
  const leaves = (size: number) => receipts.slice(0, size).map((receipt) => hashLeaf(Buffer.from(receipt)))
  const operator = createOperator({
    port: port(),
    privateKey: sha256(`${seed} operator`),
    chainId: CHAIN,
    prefix: 'tide',
    denom: 'utide',
    gasPrice: 0,
  })

  const sample: SampleNetwork = {
    origin,
    key,
    identity: { keys: [{ key: key.publicKey }], anchors: [{ chain: CHAIN, address: operator.address }] },
    sign(claims) {
      const input = signingInput(claims, key.publicKey)
      return `${input}.${key.sign(input)}`
    },
    append: (receipt) => receipts.push(receipt) - 1,
    issue(stated, claims = {}) {
      const index = receipts.length
      const { kind, ...rest } = stated
      const added = { iss: origin, kind, id: 1000 + index, index, iat: DAY + 90_000 + index }
      return sample.append(sample.sign({ ...added, ...rest, ...claims } satisfies object as ReceiptClaims))
    },
    checkpoint: (size = receipts.length) => ({ origin, size, root: rootOf(leaves(size)) }),
    note(checkpoint) {
      const text = checkpointText(checkpoint)
      return signedNote(text, origin, key.raw, Buffer.from(key.sign(text), 'base64url'))
    },
    file: (index, { size = receipts.length, anchor = null } = {}) => ({
      tidenet: 'receipt',
      version: 1,
      receipt: receipts[index]!,
      proof: { index, size, hashes: inclusionOf(leaves(size), index).map(toBase64) },
      checkpoint: sample.note(sample.checkpoint(size)),
      key: key.publicKey,
      anchor,
    }),
    async anchor(checkpoint) {
      const coins = [{ to: operator.address, amount: 1n }]
      const { hash, bytes } = await operator.submit([{ coins }], { memo: anchorMemo(checkpoint) })
      return { chain: CHAIN, height: 12, account: 7, hash, tx: toBase64(bytes) }
    },
  }
  return sample
}

/** Signs with another key, under the header of the first one. */
export function forgedBy(forger: SampleKey, claims: object, key = forger.publicKey): string {
  const input = signingInput(claims, key)
  return `${input}.${forger.sign(input)}`
}

export const kidOf = receiptKeyId

const split = (size: number): number => 2 ** Math.floor(Math.log2(size - 1))

/** The definitions of RFC 9162, 2.1.1 and 2.1.3.1: slow, and obviously right. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256('')
  if (leaves.length === 1) return leaves[0]!
  const at = split(leaves.length)
  return hashNode(rootOf(leaves.slice(0, at)), rootOf(leaves.slice(at)))
}

export function inclusionOf(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leaves.length <= 1) return []
  const at = split(leaves.length)
  const [left, right] = [leaves.slice(0, at), leaves.slice(at)]
  return index < at ? [...inclusionOf(left, index), rootOf(right)] : [...inclusionOf(right, index - at), rootOf(left)]
}

/** RFC 9162, 2.1.4.1. */
export function consistencyOf(leaves: readonly Uint8Array[], size: number, isWhole = true): Uint8Array[] {
  if (size === leaves.length) return isWhole ? [] : [rootOf(leaves)]
  const at = split(leaves.length)
  const [left, right] = [leaves.slice(0, at), leaves.slice(at)]
  return size <= at
    ? [...consistencyOf(left, size, isWhole), rootOf(right)]
    : [...consistencyOf(right, size - at, false), rootOf(left)]
}

/** A chain that accepts everything. */
const port = () =>
  ({
    account: async () => ({ number: 7, sequence: 3 }),
    status: async () => ({ height: 10, time: new Date(0) }),
    simulate: async () => 80_000,
    gasPrice: async () => 0,
    broadcast: async () => ({ hash: '', known: false }),
  }) as unknown as ChainPort
