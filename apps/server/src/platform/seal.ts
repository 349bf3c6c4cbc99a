import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Lengths of the AES-256-GCM nonce and tag, which precede the ciphertext. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a secret for the database. `owner` is authenticated, so a ciphertext that was copied to another row does not decrypt. */
export function seal(key: Uint8Array, secret: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @returns undefined if the key, the owner or the ciphertext is not the original one */
export function unseal(key: Uint8Array, sealed: Buffer, owner: string): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
