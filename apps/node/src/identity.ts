import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type NodeKind, nodeIdOf } from '@tidenet/contract'
import { StartError } from '@tidenet/daemon'
import { writeDurably } from './contents/durable.ts'

/** Identity of a node: an Ed25519 key, generated at the first start. */
export interface Identity {
  id: string
  /** Raw public key, base64url. */
  publicKey: string
  /** Signature of the UTF-8 text, base64url. */
  sign(text: string): string
  /** The claims as a compact JWS. */
  seal(claims: object): string
}

/**
 * Reads the key of a data folder, or creates one readable only by its owner.
 * @throws StartError if the key file has no Ed25519 key
 */
export async function openIdentity(folder: string, kind: NodeKind): Promise<Identity> {
  const path = join(folder, 'node.key')
  const key = await readKey(path)
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x ?? ''
  const text = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const id = nodeIdOf(kind, createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex'))
  const header = text({ alg: 'EdDSA', kid: id })
  const signed = (what: string) => sign(null, Buffer.from(what), key).toString('base64url')
  return {
    id,
    publicKey,
    sign: signed,
    seal(claims) {
      const content = `${header}.${text(claims)}`
      return `${content}.${signed(content)}`
    },
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
    // Do not create a new key: the node would become another one.
  }
  throw new StartError(`${path} does not hold an Ed25519 private key. Restore it, or remove it to become a new node.`)
}

async function makeKey(path: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ed25519')
  await mkdir(join(path, '..'), { recursive: true })
  await writeDurably(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600)
  return privateKey
}
