import type { Identity, Recipient } from 'age-encryption'
import { bytesSource, readRange } from '../bytes.ts'
import { createSeal, type OpenWith, openSealed, type SealFor } from '../encryption.ts'
import type { Ciphers } from '../platform/cipher.ts'

/** A vault's key, unlocked. Whoever has the identity can open all files of the vault. */
export interface VaultKey {
  /** `AGE-SECRET-KEY-1…`, for `decrypt: { identities: [identity] }`. */
  identity: string
  /** `age1…`, derived from the identity; for `encrypt: { recipients: [recipient] }`. */
  recipient: string
}

const IDENTITY = /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/

/** A wrap was opened, but what is in it is no key. */
export class NotAKey extends Error {}

export async function newKey(): Promise<VaultKey> {
  const { generateX25519Identity } = await import('age-encryption')
  return keyOf(await generateX25519Identity())
}

export async function keyOf(identity: string): Promise<VaultKey> {
  const { identityToRecipient } = await import('age-encryption')
  if (!IDENTITY.test(identity)) throw new NotAKey('not an X25519 identity')
  return { identity, recipient: await identityToRecipient(identity) }
}

/** Encrypts the key of a vault: a small armored age file, which is an encrypted identity file for `age`. */
export async function wrapKey(ciphers: Ciphers, { identity }: VaultKey, encryption: SealFor): Promise<string> {
  const { armor } = await import('age-encryption')
  const seal = await createSeal(ciphers, encryption)
  const source = seal(bytesSource(new TextEncoder().encode(`${identity}\n`)))
  return `${armor.encode(await readRange(source, 0, source.size)).trim()}\n`
}

/** Decrypts a wrapped key. Rejects with NotAKey if it is none, otherwise if the key does not fit. */
export async function unwrapKey(ciphers: Ciphers, wrap: string, decryption: OpenWith): Promise<VaultKey> {
  const { armor } = await import('age-encryption')
  const bytes = armor.decode(wrap)
  async function* whole() {
    yield bytes
  }
  const { pieces } = await openSealed(ciphers, decryption, whole())
  let text = ''
  for await (const piece of pieces) text += new TextDecoder().decode(piece)
  return keyOf(text.trim())
}

/** A new passkey for the vault alone. @returns its identity, which is no secret: the passkey is needed too */
export async function createPasskey(name: string): Promise<string> {
  const { webauthn } = await import('age-encryption')
  return webauthn.createCredential({ keyName: name })
}

export async function passkeyRecipient(credential: string): Promise<Recipient> {
  const { webauthn } = await import('age-encryption')
  return new webauthn.WebAuthnRecipient({ identity: credential })
}

export async function passkeyIdentity(credential: string): Promise<Identity> {
  const { webauthn } = await import('age-encryption')
  return new webauthn.WebAuthnIdentity({ identity: credential })
}
