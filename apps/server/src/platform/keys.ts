import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { exportJWK, type JWK } from 'jose'

/** Keys of the server, all derived from its one secret, so that every copy of the server has the same. */
export interface Keys {
  /** Seal what lies in the database (AES-256-GCM): the keys that sign sessions, the secrets of one-time codes. */
  session: Uint8Array
  secondFactor: Uint8Array
  /** Also passwords of the console and variables of workloads. */
  console: Uint8Array
  /** HMAC-SHA-256 keys of share tokens (also of possession proofs) and of node sessions. */
  shareToken: Uint8Array
  nodeSession: Uint8Array
  /** Makes hashes of codes and visitors useless without the secret. */
  pepper: Uint8Array
  /** Tells what this installation made on a cluster from what others did; no secret. */
  installation: string
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
    secondFactor: derive(secret, 'second factors'),
    console: derive(secret, 'container console'),
    installation: Buffer.from(derive(secret, 'installation')).toString('hex').slice(0, 8),
    shareToken: derive(secret, 'share tickets'),
    nodeSession: derive(secret, 'node sessions'),
    pepper: derive(secret, 'pepper'),
    nodeToken,
    nodeTokenPublic: { ...jwk, alg: 'EdDSA', use: 'sig', kid: `tn-${(jwk.x as string).slice(0, 8)}` },
  }
}
