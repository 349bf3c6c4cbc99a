import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { RECEIPT_TYPE } from '@tidenet/receipts'
import type { Keys } from '../keys.ts'
import type { Entry } from './bundles.ts'

/** Runs in the thread pool. Ed25519 signs the same bytes with the same signature, so that signatures need not be stored. */
const signAsync = (bytes: Buffer, key: KeyObject): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    sign(null, bytes, key, (error, signature) => (error ? reject(error) : resolve(signature)))
  })

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

type LogKeys = Pick<Keys, 'log' | 'receipt' | 'receiptPublic'>

/** The receipt as a compact JWS. */
export async function signReceipt(keys: LogKeys, { id, iat, claims }: Entry, index: number): Promise<string> {
  const header = base64url({ alg: 'EdDSA', typ: RECEIPT_TYPE, kid: keys.receiptPublic.kid })
  const { kind, ...rest } = claims
  const text = `${header}.${base64url({ iss: keys.log, kind, id, index, iat, ...rest })}`
  return `${text}.${(await signAsync(Buffer.from(text), keys.receipt)).toString('base64url')}`
}

/** The first bytes of a signature in a note say which key made it: hash of name, algorithm and public key. */
function keyHash({ log, receipt }: LogKeys): Buffer {
  const { x } = createPublicKey(receipt).export({ format: 'jwk' })
  const algorithm = Buffer.from([0x0a, 0x01])
  return createHash('sha256')
    .update(log)
    .update(algorithm)
    .update(Buffer.from(x as string, 'base64url'))
    .digest()
    .subarray(0, 4)
}

/**
 * A checkpoint as a signed note (C2SP tlog-checkpoint). The key also signs receipts; neither can be taken for the other, because what is
 * signed of a note contains line breaks and what is signed of a JWS does not.
 */
export async function signCheckpoint(keys: LogKeys, { size, root }: { size: number; root: Buffer }): Promise<string> {
  const text = `${keys.log}\n${size}\n${root.toString('base64')}\n`
  const signature = Buffer.concat([keyHash(keys), await signAsync(Buffer.from(text), keys.receipt)])
  return `${text}\n— ${keys.log} ${signature.toString('base64')}\n`
}
