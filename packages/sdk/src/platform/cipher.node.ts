import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto'
import type { Ciphers } from './cipher.ts'

const TAG = 16

export const ciphers: Ciphers = {
  seal(key, nonce, plain) {
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG })
    const body = cipher.update(plain)
    cipher.final()
    const sealed = new Uint8Array(body.length + TAG)
    sealed.set(body)
    sealed.set(cipher.getAuthTag(), body.length)
    return sealed
  },
  open(key, nonce, sealed) {
    const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG })
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG))
    const plain = decipher.update(sealed.subarray(0, sealed.length - TAG))
    decipher.final()
    return plain
  },
  scrypt: (passphrase, salt, logN) =>
    new Promise((resolve, reject) => {
      const N = 2 ** logN
      scrypt(passphrase, salt, 32, { N, r: 8, p: 1, maxmem: 256 * N * 8 }, (error, key) =>
        error ? reject(error) : resolve(key),
      )
    }),
}
