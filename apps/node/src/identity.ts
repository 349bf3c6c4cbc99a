import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type NodeKind, nodeIdOf } from '@tidenet/contract'
import { StartError } from '@tidenet/daemon'
import { CompactSign } from 'jose'
import { writeDurably } from './contents/durable.ts'

/** Who a node is: an Ed25519 key of its own, made at the first start. */
export interface Identity {
  id: string
  /** Raw public key, base64url. */
  publicKey: string
  /** Signature of the text's UTF-8, base64url. */
  sign(text: string): string
  /** Compact JWS of the claims. */
  seal(claims: object): Promise<string>
}

/**
 * Reads the key of a data folder, or makes one that only the owner of the process can read.
 * @throws StartError when there is a key file that holds no Ed25519 key
 */
export async function openIdentity(folder: string, kind: NodeKind): Promise<Identity> {
  const path = join(folder, 'node.key')
  const key = await readKey(path)
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x ?? ''
  const id = nodeIdOf(kind, createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex'))
  return {
    id,
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
    seal: (claims) =>
      new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader({ alg: 'EdDSA', kid: id }).sign(key),
  }
}

async function readKey(path: string): Promise<KeyObject> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return makeKey(path)
  await chmod(path, 0o600)
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Falls through to the message below: making another key would make another node of it.
  }
  throw new StartError(`${path} does not hold an Ed25519 private key. Restore it, or remove it to become a new node.`)
}

async function makeKey(path: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ed25519')
  await mkdir(join(path, '..'), { recursive: true })
  await writeDurably(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600)
  return privateKey
}
