import { ripemd160, Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import type { WalletKind } from '@tidenet/contract'
import { parseSiweMessage, validateSiweMessage } from 'viem/siwe'
import { getAddress, isAddress, recoverMessageAddress } from 'viem/utils'

export interface WalletAddress {
  kind: WalletKind
  /** Canonical: lower-case bech32, or 0x with lower-case hex. */
  address: string
}

const ACCOUNT_BYTES = 20
const KEY_BYTES = 33
const SIGNATURE_BYTES = 64
const EVM_SIGNATURE_BYTES = 65
/** Half the order of secp256k1. Signatures with a higher S value are malleated, and rejected. */
const HALF_ORDER = BigInt('0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0')

/** Parses an address. Undefined if it is invalid, of another chain, or of a contract. */
export function readAddress(text: string, prefix: string): WalletAddress | undefined {
  if (/^0x/i.test(text)) return isAddress(text) ? { kind: 'evm', address: text.toLowerCase() } : undefined
  try {
    // Long prefixes exceed the default limit of 90 characters.
    const decoded = fromBech32(text, 1023)
    if (decoded.prefix !== prefix || decoded.data.length !== ACCOUNT_BYTES) return undefined
    return { kind: 'cosmos', address: toBech32(prefix, decoded.data, 1023) }
  } catch {
    return undefined
  }
}

/** The displayed form: 0x addresses with checksum (EIP-55). */
export const displayAddress = ({ kind, address }: WalletAddress): string =>
  kind === 'evm' ? getAddress(address) : address

/**
 * Decodes hex (with or without 0x), base64, or hex of either text. The length decides which.
 * @returns undefined unless the result has exactly `size` bytes
 */
export function readBytes(text: string, size: number): Uint8Array | undefined {
  const direct = readOnce(text, size)
  if (direct || !/^([0-9a-f]{2})+$/i.test(text)) return direct
  return readOnce(Buffer.from(text, 'hex').toString('latin1'), size)
}

function readOnce(text: string, size: number): Uint8Array | undefined {
  const hex = text.replace(/^0x/i, '')
  if (hex.length === size * 2 && /^[0-9a-f]+$/i.test(hex)) return new Uint8Array(Buffer.from(hex, 'hex'))
  if (text.length !== 4 * Math.ceil(size / 3)) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Buffer ignores invalid base64 characters, so compare with the re-encoded text.
  return bytes.length === size && bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined
}

/** The bytes that a chain wallet signs for a text (ADR-36): an invalid transaction, with sorted keys. */
export const adr36 = (signer: string, text: string): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      account_number: '0',
      chain_id: '',
      fee: { amount: [], gas: '0' },
      memo: '',
      msgs: [{ type: 'sign/MsgSignData', value: { data: Buffer.from(text, 'utf8').toString('base64'), signer } }],
      sequence: '0',
    }),
  )

export interface Proof {
  sign: string
  publicKey?: string | undefined
}

/** Whether the signature is one of this text. */
export type Matches = (text: string) => Promise<boolean>

/**
 * Parses a proof once, so that it can be compared with several texts.
 * @returns undefined if it is malformed, malleated, or if the public key does not belong to the address
 */
export function readProof(
  wallet: WalletAddress,
  proof: Proof,
): { publicKey: Uint8Array | null; matches: Matches } | undefined {
  return wallet.kind === 'evm' ? evmProof(wallet.address, proof) : cosmosProof(wallet.address, proof)
}

function cosmosProof(address: string, { sign, publicKey }: Proof) {
  const key = readBytes(publicKey ?? '', KEY_BYTES)
  const signature = readBytes(sign, SIGNATURE_BYTES)
  if (!key || !signature || !isLow(signature)) return undefined
  if (!Buffer.from(ripemd160(sha256(key))).equals(fromBech32(address, 1023).data)) return undefined
  const matches: Matches = async (text) => {
    try {
      const parsed = Secp256k1Signature.fromFixedLength(signature)
      return Secp256k1.verifySignature(parsed, sha256(adr36(address, text)), key)
    } catch {
      // The key is not on the curve, or r or s is zero.
      return false
    }
  }
  return { publicKey: key, matches }
}

function evmProof(address: string, { sign }: Proof) {
  const signature = readBytes(sign, EVM_SIGNATURE_BYTES)
  if (!signature || !isLow(signature)) return undefined
  const matches: Matches = async (text) => {
    try {
      return (await recoverMessageAddress({ message: text, signature })).toLowerCase() === address
    } catch {
      return false
    }
  }
  return { publicKey: null, matches }
}

const isLow = (signature: Uint8Array): boolean =>
  BigInt(`0x${Buffer.from(signature.subarray(32, 64)).toString('hex')}`) <= HALF_ORDER

/** Whether a text is an EIP-4361 message for this address, portal, nonce and time. */
export function isSiweFor(
  text: string,
  expected: { address: string; domain: string; nonce: string; time: Date },
): boolean {
  const message = parseSiweMessage(text)
  const { domain, nonce, time } = expected
  return (
    message.expirationTime !== undefined &&
    validateSiweMessage({ message, address: expected.address as `0x${string}`, domain, nonce, time })
  )
}
