import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import type { Ciphers } from './cipher.ts'

export const ciphers: Ciphers = {
  seal: (key, nonce, plain) => chacha20poly1305(key, nonce).encrypt(plain),
  open: (key, nonce, sealed) => chacha20poly1305(key, nonce).decrypt(sealed),
  async scrypt(passphrase, salt, logN) {
    const { scrypt } = await import('hash-wasm')
    return scrypt({
      password: passphrase,
      salt,
      costFactor: 2 ** logN,
      blockSize: 8,
      parallelism: 1,
      hashLength: 32,
      outputType: 'binary',
    })
  },
}
