import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { makeSignDoc, serializeSignDoc } from '@cosmjs/amino'
import { Secp256k1 } from '@cosmjs/crypto'
import { fromBase64, fromUtf8, toBase64 } from '@cosmjs/encoding'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import type { Account } from './bank.ts'
import { refuse } from './refusal.ts'

/** A supported message. */
export type Message =
  | { kind: 'send'; value: MsgSend }
  | { kind: 'multiSend'; value: MsgMultiSend }
  | { kind: 'execute'; value: MsgExecuteContract }

export interface Transaction {
  bytes: Uint8Array
  /** SHA-256 of the bytes, hex, upper case. */
  hash: string
  raw: TxRaw
  body: TxBody
  authInfo: AuthInfo
  messages: Message[]
  /** Required signers, each once, in the order of the messages. */
  signers: string[]
}

/** Most bytes of a transaction; most characters of its memo. */
export const TX_BYTES_MAX = 1_048_576
export const LONGEST_MEMO = 256

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').toUpperCase()

/** Decodes a transaction. Refuses invalid and unsupported ones. */
export function readTransaction(bytes: Uint8Array): Transaction {
  if (bytes.length > TX_BYTES_MAX) throw refuse.tooLarge(`${bytes.length} bytes`)
  let raw: TxRaw
  let body: TxBody
  let authInfo: AuthInfo
  try {
    raw = TxRaw.decode(bytes)
    body = TxBody.decode(raw.bodyBytes)
    authInfo = AuthInfo.decode(raw.authInfoBytes)
  } catch {
    throw refuse.undecodable('the bytes are no transaction')
  }
  if (body.messages.length === 0) throw refuse.request('must contain at least one message')
  if (body.extensionOptions.length + body.nonCriticalExtensionOptions.length > 0)
    throw refuse.request('unknown extension options')
  if (body.memo.length > LONGEST_MEMO) throw refuse.memo(`maximum number of characters is ${LONGEST_MEMO}`)
  if (!authInfo.fee) throw refuse.request('no fee')
  const messages = body.messages.map(readMessage)
  const signers = [...new Set(messages.flatMap(signersOf))]
  return { bytes, hash: hashOf(bytes), raw, body, authInfo, messages, signers }
}

function readMessage({ typeUrl, value }: { typeUrl: string; value: Uint8Array }): Message {
  try {
    if (typeUrl === '/cosmos.bank.v1beta1.MsgSend') return { kind: 'send', value: MsgSend.decode(value) }
    if (typeUrl === '/cosmos.bank.v1beta1.MsgMultiSend') return { kind: 'multiSend', value: MsgMultiSend.decode(value) }
    if (typeUrl === '/cosmwasm.wasm.v1.MsgExecuteContract')
      return { kind: 'execute', value: MsgExecuteContract.decode(value) }
  } catch {
    throw refuse.undecodable(typeUrl)
  }
  throw refuse.unknownRequest(`unable to resolve type URL ${typeUrl.slice(0, 100)}`)
}

/** Required signers of a message. */
export function signersOf(message: Message): string[] {
  if (message.kind === 'send') return [message.value.fromAddress]
  if (message.kind === 'execute') return [message.value.sender]
  return message.value.inputs.map(({ address }) => address)
}

/** Compressed secp256k1. */
export function readPublicKey(any: { typeUrl: string; value: Uint8Array } | undefined): Uint8Array | undefined {
  if (!any || any.value.length === 0) return undefined
  if (any.typeUrl !== '/cosmos.crypto.secp256k1.PubKey') throw refuse.signature(`key of the kind ${any.typeUrl}`)
  const { key } = PubKey.decode(any.value)
  if (key.length !== 33) throw refuse.signature('the public key is not 33 bytes long')
  return key
}

/** Verifies a signature for an account's number and sequence. */
export function isSigned(
  tx: Transaction,
  index: number,
  { number, sequence }: Pick<Account, 'number' | 'sequence'>,
  publicKey: Uint8Array,
  chainId: string,
): boolean {
  const signature = tx.raw.signatures[index]
  const mode = tx.authInfo.signerInfos[index]?.modeInfo?.single?.mode
  if (!signature || mode === undefined) return false
  if (mode === SignMode.SIGN_MODE_DIRECT) {
    const document = SignDoc.encode(
      SignDoc.fromPartial({
        bodyBytes: tx.raw.bodyBytes,
        authInfoBytes: tx.raw.authInfoBytes,
        chainId,
        accountNumber: BigInt(number),
      }),
    ).finish()
    return isSignature(signature, document, publicKey)
  }
  if (mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON)
    return isSignature(signature, aminoDocument(tx, number, sequence, chainId), publicKey)
  return false
}

function aminoDocument({ body, authInfo, messages }: Transaction, number: number, sequence: number, chainId: string) {
  const fee = authInfo.fee as NonNullable<AuthInfo['fee']>
  const document = makeSignDoc(
    messages.map(aminoMessage),
    { amount: fee.amount.map(plainCoin), gas: String(fee.gasLimit), ...(fee.payer && { payer: fee.payer }) },
    chainId,
    body.memo,
    number,
    sequence,
    body.timeoutHeight > 0n ? body.timeoutHeight : undefined,
  )
  return serializeSignDoc(document)
}

const plainCoin = ({ denom, amount }: { denom: string; amount: string }) => ({ denom, amount })

function aminoMessage(message: Message) {
  if (message.kind === 'send') {
    const { fromAddress: from_address, toAddress: to_address, amount } = message.value
    return { type: 'cosmos-sdk/MsgSend', value: { from_address, to_address, amount: amount.map(plainCoin) } }
  }
  if (message.kind === 'multiSend') {
    const plain = (list: readonly { address: string; coins: readonly { denom: string; amount: string }[] }[]) =>
      list.map(({ address, coins }) => ({ address, coins: coins.map(plainCoin) }))
    const { inputs, outputs } = message.value
    return { type: 'cosmos-sdk/MsgMultiSend', value: { inputs: plain(inputs), outputs: plain(outputs) } }
  }
  const { sender, contract, msg, funds } = message.value
  return {
    type: 'wasm/MsgExecuteContract',
    value: { sender, contract, msg: parsed(msg), funds: funds.map(plainCoin) },
  }
}

function parsed(msg: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(msg))
  } catch {
    throw refuse.undecodable('the message to the contract is not JSON')
  }
}

/** Half the order of secp256k1: only the lower of both valid signatures is accepted. */
const HALF = BigInt('0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0')
const REMEMBERED = 10_000
const keys = new Map<string, KeyObject>()
// Hashes of valid signatures with what they sign. A transaction is checked at its arrival, in its block and after each block until then, and
// its signature takes most of the time.
const valid = new Set<string>()

function isSignature(signature: Uint8Array, document: Uint8Array, publicKey: Uint8Array): boolean {
  if (signature.length !== 64) return false
  // Signatures and keys have fixed lengths.
  const name = createHash('sha256').update(signature).update(publicKey).update(document).digest('base64')
  if (valid.has(name)) return true
  if (BigInt(`0x${Buffer.from(signature.subarray(32)).toString('hex')}`) > HALF) return false
  try {
    if (!verify('sha256', document, { key: keyOf(publicKey), dsaEncoding: 'ieee-p1363' }, signature)) return false
  } catch {
    return false
  }
  if (valid.size >= REMEMBERED) valid.delete(valid.keys().next().value as string)
  valid.add(name)
  return true
}

/** Node's native secp256k1 is four times as fast as JavaScript; it needs the uncompressed key. */
function keyOf(publicKey: Uint8Array): KeyObject {
  const name = toBase64(publicKey)
  const known = keys.get(name)
  if (known) return known
  const whole = Secp256k1.uncompressPubkey(publicKey)
  const part = (from: number) => Buffer.from(whole.subarray(from, from + 32)).toString('base64url')
  const key = createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x: part(1), y: part(33) }, format: 'jwk' })
  if (keys.size >= REMEMBERED) keys.delete(keys.keys().next().value as string)
  keys.set(name, key)
  return key
}

export const publicKeyOf = (account: Account): Uint8Array | undefined =>
  account.publicKey === undefined ? undefined : fromBase64(account.publicKey)
