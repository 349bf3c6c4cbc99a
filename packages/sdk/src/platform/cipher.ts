/** Primitives of the age format, as the platform provides them. */
export interface Ciphers {
  /** ChaCha20-Poly1305: ciphertext followed by a tag of 16 bytes. */
  seal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array): Uint8Array
  /** The plaintext; throws if the tag is wrong. */
  open(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array
  /** scrypt with r = 8, p = 1: 32 bytes. Takes about a second for N = 2^18. */
  scrypt(passphrase: string, salt: Uint8Array, logN: number): Promise<Uint8Array>
}
