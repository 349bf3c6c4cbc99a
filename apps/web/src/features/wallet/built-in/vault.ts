import { Argon2id } from '@cosmjs/crypto'
import { WalletError } from '../errors.ts'

/** Parameters of argon2id: memory in KiB, number of passes. */
const COST = { memory: 65_536, passes: 3 }

/** An encrypted secret, stored in IndexedDB as it is. */
export interface Sealed {
  version: 1
  cost: { memory: number; passes: number }
  salt: Uint8Array<ArrayBuffer>
  nonce: Uint8Array<ArrayBuffer>
  bytes: ArrayBuffer
}

/** Web Crypto is available in secure contexts only. */
export const canSeal = (): boolean => typeof crypto !== 'undefined' && crypto.subtle !== undefined

async function keyOf(password: string, salt: Uint8Array, { memory, passes }: Sealed['cost']): Promise<CryptoKey> {
  if (!canSeal()) throw new WalletError('insecure')
  const options = { outputLength: 32, opsLimit: passes, memLimitKib: memory }
  const bytes = await Argon2id.execute(password.normalize('NFKC'), salt, options)
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(bytes), 'AES-GCM', false, ['encrypt', 'decrypt'])
  bytes.fill(0)
  return key
}

/** Encrypts a text with AES-256-GCM. Decrypting needs the same `associatedData`. @throws WalletError `insecure` */
export async function seal(secret: string, password: string, associatedData: string): Promise<Sealed> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const nonce = crypto.getRandomValues(new Uint8Array(12))
  const key = await keyOf(password, salt, COST)
  const encoder = new TextEncoder()
  const algorithm = { name: 'AES-GCM', iv: nonce, additionalData: encoder.encode(associatedData) }
  const bytes = await crypto.subtle.encrypt(algorithm, key, encoder.encode(secret))
  return { version: 1, cost: COST, salt, nonce, bytes }
}

/** @throws WalletError `wrongPassword`, `insecure` */
export async function unseal(sealed: Sealed, password: string, associatedData: string): Promise<string> {
  const key = await keyOf(password, sealed.salt, sealed.cost)
  const additionalData = new TextEncoder().encode(associatedData)
  try {
    const algorithm = { name: 'AES-GCM', iv: sealed.nonce, additionalData }
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, sealed.bytes))
  } catch (error) {
    throw new WalletError('wrongPassword', error)
  }
}
