import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import { exportJWK, type JWK } from 'jose'

/** Keys derived from the server's secret, so all servers of a network have the same. */
export interface Keys {
  /** AES-256-GCM keys for secrets in the database: session signing keys, TOTP secrets, … */
  session: Uint8Array
  secondFactor: Uint8Array
  /** … console passwords and environment variables of workloads. */
  console: Uint8Array
  /** … secrets of webhooks. */
  webhook: Uint8Array
  /** … secrets of S3 access keys. */
  s3Credential: Uint8Array
  /** … sources of imports: addresses, and secrets of another S3. */
  importSource: Uint8Array
  /** … addresses and passwords of short links. */
  shortLink: Uint8Array
  /** … private keys of certificates, and of the account at a CA. */
  certificates: Uint8Array
  /** HMAC-SHA-256 keys of share tokens (also of possession proofs), of node sessions and of links that end e-mails. */
  shareToken: Uint8Array
  nodeSession: Uint8Array
  /** … of tickets and cookies for programs in workspaces. */
  ingress: Uint8Array
  unsubscribe: Uint8Array
  /** … of API tokens of S3 access keys, and of what stands in for the secret of an unknown one. */
  s3Token: Uint8Array
  s3Unknown: Uint8Array
  /** HMAC key for hashes of short codes and of visitors, which could be brute-forced otherwise. */
  pepper: Uint8Array
  /** Labels the objects of this installation on a cluster. Not secret. */
  installation: string
  /** Ed25519: signs upload and download tokens, which nodes verify offline. */
  nodeToken: KeyObject
  nodeTokenPublic: JWK & { kid: string }
  /** Ed25519: signs receipts and the checkpoints of the transparency log. */
  receipt: KeyObject
  receiptPublic: JWK & { kid: string }
  /** Name of the transparency log. */
  log: string
}

const derive = (secret: Buffer, purpose: string) => new Uint8Array(hkdfSync('sha256', secret, 'tidenet', purpose, 32))

/** The PKCS #8 wrapping of a raw Ed25519 seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

export async function deriveKeys(secret: Buffer): Promise<Keys> {
  const nodeToken = await signingKey(derive(secret, 'node tokens'), 'tn')
  const receipt = await signingKey(derive(secret, 'receipts'), 'tr')
  const installation = Buffer.from(derive(secret, 'installation')).toString('hex').slice(0, 8)
  return {
    session: derive(secret, 'sessions'),
    secondFactor: derive(secret, 'second factors'),
    console: derive(secret, 'container console'),
    webhook: derive(secret, 'webhooks'),
    s3Credential: derive(secret, 's3 credentials'),
    importSource: derive(secret, 'sources of imports'),
    shortLink: derive(secret, 'short links'),
    certificates: derive(secret, 'certificates'),
    installation,
    shareToken: derive(secret, 'share tickets'),
    nodeSession: derive(secret, 'node sessions'),
    ingress: derive(secret, 'ingress'),
    unsubscribe: derive(secret, 'unsubscribe'),
    s3Token: derive(secret, 's3 tokens'),
    s3Unknown: derive(secret, 'unknown s3 credentials'),
    pepper: derive(secret, 'pepper'),
    nodeToken: nodeToken.key,
    nodeTokenPublic: nodeToken.jwk,
    receipt: receipt.key,
    receiptPublic: receipt.jwk,
    log: `tidenet-log-${installation}`,
  }
}

async function signingKey(seed: Uint8Array, prefix: string): Promise<{ key: KeyObject; jwk: Keys['receiptPublic'] }> {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  const jwk = await exportJWK(createPublicKey(key))
  return { key, jwk: { ...jwk, alg: 'EdDSA', use: 'sig', kid: `${prefix}-${(jwk.x as string).slice(0, 8)}` } }
}
