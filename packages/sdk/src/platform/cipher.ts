/** What the age format is made of, as the platform does it best. */
export interface Ciphers {
  /** ChaCha20-Poly1305: the ciphertext with its tag of 16 bytes behind it. */
  seal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array): Uint8Array
  /** The plaintext; throws when the tag is not right. */
  open(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array
  /** scrypt with r = 8, p = 1: 32 bytes. Takes about a second for N = 2^18. */
  scrypt(passphrase: string, salt: Uint8Array, logN: number): Promise<Uint8Array>
}
