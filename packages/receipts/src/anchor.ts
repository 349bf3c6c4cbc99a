import { fromBech32 } from '@cosmjs/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concat, fromBase64, isEqual, toBase64, toHex, utf8 } from './bytes.ts'
import type { Anchor } from './file.ts'
import type { AnchorAddress } from './identity.ts'
import { decodeUtf8 } from './json.ts'
import type { Checkpoint } from './note.ts'
import { bytesField, numberField, onlyBytes, readFields } from './protobuf.ts'

/** A transaction whose memo is a checkpoint. */

/** The memo, without the random digits that make a transaction unique. */
export const anchorMemo = ({ origin, size, root }: Checkpoint): string =>
  `tidenet-log ${origin} ${size} ${toBase64(root)}`

/** A space and the digits that `createOperator` of the chain client appends. */
const RANDOM_DIGITS = /^(?: [0-9a-f]{16})?$/
const SECP256K1 = '/cosmos.crypto.secp256k1.PubKey'

/** `chain`: on another chain than the operators publish. `no_operator`: no address is known, so anybody may have signed. */
export type AnchorProblem = 'transaction' | 'hash' | 'memo' | 'signature' | 'chain' | 'operator' | 'no_operator'

/**
 * What is wrong with an anchor; undefined if nothing is. Says nothing about whether a block contains the transaction.
 * @param operators whose key must have signed
 */
export function anchorProblem(
  anchor: Anchor,
  checkpoint: Checkpoint,
  operators: readonly AnchorAddress[],
): AnchorProblem | undefined {
  const bytes = fromBase64(anchor.tx) ?? new Uint8Array()
  const transaction = readTransaction(bytes)
  if (!transaction) return 'transaction'
  if (toHex(sha256(bytes)).toUpperCase() !== anchor.hash) return 'hash'
  const memo = anchorMemo(checkpoint)
  if (!transaction.memo.startsWith(memo) || !RANDOM_DIGITS.test(transaction.memo.slice(memo.length))) return 'memo'
  const document = concat(
    bytesField(1, transaction.body),
    bytesField(2, transaction.auth),
    bytesField(3, utf8(anchor.chain)),
    numberField(4, anchor.account),
  )
  if (!isSignedBySecp256k1(transaction.key, document, transaction.signature)) return 'signature'
  if (operators.length === 0) return 'no_operator'
  // Two logs must not hide from each other on two chains.
  const onChain = operators.filter(({ chain }) => chain === anchor.chain)
  if (onChain.length === 0) return 'chain'
  return onChain.some(({ address }) => isAddressOf(address, transaction.key)) ? undefined : 'operator'
}

/** A transaction with one signature of a secp256k1 key. */
function readTransaction(bytes: Uint8Array) {
  const [body, auth, signature] = [onlyBytes(bytes, 1), onlyBytes(bytes, 2), onlyBytes(bytes, 3)]
  if (!body || !auth || !signature || readFields(bytes)?.size !== 3) return undefined
  const publicKey = onlyBytes(onlyBytes(auth, 1), 1)
  const type = onlyBytes(publicKey, 1)
  const key = onlyBytes(onlyBytes(publicKey, 2), 1)
  const memo = decodeUtf8(onlyBytes(body, 2) ?? new Uint8Array())
  if (!type || decodeUtf8(type) !== SECP256K1 || key?.length !== 33 || memo === undefined) return undefined
  return { body, auth, signature, key, memo }
}

/** Only the smaller of two equivalent signatures is valid, as on the chain. */
function isSignedBySecp256k1(key: Uint8Array, document: Uint8Array, signature: Uint8Array): boolean {
  try {
    return signature.length === 64 && secp256k1.verify(signature, document, key, { lowS: true })
  } catch {
    return false
  }
}

function isAddressOf(address: string, key: Uint8Array): boolean {
  try {
    return isEqual(fromBech32(address).data, ripemd160(sha256(key)))
  } catch {
    return false
  }
}
