import { createPublicKey, verify } from 'node:crypto'

/** Verified by threads, so that many signatures do not block the event loop. */
export function verifyEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') }
    verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature, (error, isValid) =>
      error ? reject(error) : resolve(isValid),
    )
  })
}
