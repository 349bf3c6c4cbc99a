import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Nonce and tag of AES-256-GCM, in bytes, which stand before the sealed text. */
const NONCE = 12
const TAG = 16

/** Encrypts a secret that lies in the database. `owner` says whose it is: moved to another row it opens no more. */
export function seal(key: Uint8Array, secret: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Undefined when it was sealed by another key, for somebody else, or changed since. */
export function unseal(key: Uint8Array, sealed: Buffer, owner: string): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()])
  } catch {
    return undefined
  }
}
