import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { exportJWK, type JWK } from 'jose'

/** Keys of the server, all derived from its one secret, so that every copy of the server has the same. */
export interface Keys {
  /** HMAC-SHA-256 of session tokens, share tickets and node sessions, one each. */
  session: Uint8Array
  ticket: Uint8Array
  nodeSession: Uint8Array
  /** Makes hashes of codes and visitors useless without the secret. */
  pepper: Uint8Array
  /** Ed25519: signs upload and download tokens that nodes check offline. */
  nodeToken: KeyObject
  nodeTokenPublic: JWK & { kid: string }
}

const derive = (secret: Buffer, purpose: string) => new Uint8Array(hkdfSync('sha256', secret, 'tidenet', purpose, 32))

/** The PKCS #8 wrapping of a raw Ed25519 seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

export async function deriveKeys(secret: Buffer): Promise<Keys> {
  const seed = derive(secret, 'node tokens')
  const nodeToken = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  const jwk = await exportJWK(createPublicKey(nodeToken))
  return {
    session: derive(secret, 'sessions'),
    ticket: derive(secret, 'share tickets'),
    nodeSession: derive(secret, 'node sessions'),
    pepper: derive(secret, 'pepper'),
    nodeToken,
    nodeTokenPublic: { ...jwk, alg: 'EdDSA', use: 'sig', kid: `tn-${(jwk.x as string).slice(0, 8)}` },
  }
}
