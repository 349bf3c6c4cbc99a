import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { exportJWK, type JWK } from 'jose'

/** Keys derived from the server's secret, so all servers of a network have the same. */
export interface Keys {
  /** AES-256-GCM keys for secrets in the database: session signing keys, TOTP secrets, … */
  session: Uint8Array
  secondFactor: Uint8Array
  /** … console passwords and environment variables of workloads. */
  console: Uint8Array
  /** HMAC-SHA-256 keys of share tokens (also of possession proofs) and of node sessions. */
  shareToken: Uint8Array
  nodeSession: Uint8Array
  /** HMAC key for hashes of short codes and of visitors, which could be brute-forced otherwise. */
  pepper: Uint8Array
  /** Labels the objects of this installation on a cluster. Not secret. */
  installation: string
  /** Ed25519: signs upload and download tokens, which nodes verify offline. */
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
