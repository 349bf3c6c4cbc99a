import { createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto'
import { base58btc } from 'multiformats/bases/base58'

/** PKCS #8 of an Ed25519 key, up to its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
/** An identity multihash of a public key as protobuf: type Ed25519, then 32 bytes. */
const PEER = Buffer.from('002408011220', 'hex')

/**
 * The peer ID under which clients of IPFS know the gateways that share this secret. Nobody has to prove it over HTTP, but it must always be the
 * same, and nobody else may have its key.
 */
export function peerIdOf(secret: string): string {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'tidenet ipfs gateway peer', 32))
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return base58btc.baseEncode(Buffer.concat([PEER, Buffer.from(x, 'base64url')]))
}
