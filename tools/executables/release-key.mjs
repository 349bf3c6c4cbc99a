// The key that signs releases: Ed25519, in a PEM file outside the repository that only its owner can read.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { root, ToolError } from '../build.mjs'

/**
 * Makes a key and writes it to `path` with mode 0600.
 * @returns the public key as text
 * @throws ToolError if the path is inside the repository, or exists
 */
export function createReleaseKey(path) {
  const file = resolve(path)
  const inside = relative(root, file)
  if (!inside.startsWith('..') && !isAbsolute(inside))
    throw new ToolError(`${file} is inside the repository. Keep the release key elsewhere, so that nobody commits it.`)
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    throw new ToolError(`${file} exists. A release key is never overwritten: devices could not be updated any more.`)
  }
  return publicText(privateKey)
}

/**
 * @returns the private key in the file
 * @throws ToolError if it cannot be read, others can read it, or it is not an Ed25519 key
 */
export function readReleaseKey(path) {
  let text
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new ToolError(`Others can read ${path}. Run chmod 600 on it, and replace the key if somebody may have.`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw error instanceof ToolError ? error : new ToolError(`The release key cannot be read: ${error.message}`)
  }
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {}
  throw new ToolError(`${path} does not contain an Ed25519 key in PEM.`)
}

/** The public half as programs carry it: 32 bytes in base64url. */
export const publicText = (privateKey) => createPublicKey(privateKey).export({ format: 'jwk' }).x

const SHAPE = /^[A-Za-z0-9_-]{43}$/
/** @throws ToolError if the text is not a public key */
export function publicKeyOf(text) {
  if (!SHAPE.test(text)) throw new ToolError(`${text} is not a public release key (43 characters of base64url).`)
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' })
}

/** @returns the signature in base64url */
export const signBytes = (bytes, privateKey) => sign(null, bytes, privateKey).toString('base64url')

/** Whether one of the public keys signed the bytes. */
export const isSigned = (bytes, signature, publicKeys) =>
  publicKeys.some((text) => verify(null, bytes, publicKeyOf(text), Buffer.from(signature, 'base64url')))
