import { type KeyObject, sign } from 'node:crypto'
import { checkpointText, RECEIPT_TYPE, signedNote } from '@tidenet/receipts'
import { compactJws, jwsContent } from '../jws.ts'
import type { Keys } from '../keys.ts'
import type { Entry } from './bundles.ts'

/** Runs in the thread pool. Ed25519 signs the same bytes with the same signature, so that signatures need not be stored. */
const signAsync = (bytes: Buffer, key: KeyObject): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    sign(null, bytes, key, (error, signature) => (error ? reject(error) : resolve(signature)))
  })

type LogKeys = Pick<Keys, 'log' | 'receipt' | 'receiptPublic'>

/** The receipt as a compact JWS. */
export async function signReceipt(keys: LogKeys, { id, iat, claims }: Entry, index: number): Promise<string> {
  const header = { alg: 'EdDSA', typ: RECEIPT_TYPE, kid: keys.receiptPublic.kid }
  const { kind, ...rest } = claims
  const content = jwsContent(header, { iss: keys.log, kind, id, index, iat, ...rest })
  return compactJws(content, await signAsync(Buffer.from(content), keys.receipt))
}

/** The last checkpoint of a log: many receipts have the same one. */
const last = new WeakMap<KeyObject, { text: string; note: string }>()

/**
 * A checkpoint as a signed note (C2SP tlog-checkpoint). The key also signs receipts; neither can be taken for the other, because what is
 * signed of a note contains line breaks and what is signed of a JWS does not.
 */
export async function signCheckpoint(keys: LogKeys, of: { size: number; root: Buffer }): Promise<string> {
  const text = checkpointText({ origin: keys.log, ...of })
  const known = last.get(keys.receipt)
  if (known?.text === text) return known.note
  const key = Buffer.from(keys.receiptPublic.x as string, 'base64url')
  const note = signedNote(text, keys.log, key, await signAsync(Buffer.from(text), keys.receipt))
  last.set(keys.receipt, { text, note })
  return note
}
