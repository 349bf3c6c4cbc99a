import { sha256 } from '@tidenet/content'
import { Decrypter, Encrypter, type Identity, type ReadableStreamWithSize, Stanza } from 'age-encryption'
import type { ByteSource } from './bytes.ts'
import type { Ciphers } from './platform/cipher.ts'

/** Who can open what is encrypted: those who know the passphrase, or those with the key of an age recipient. */
export type Encryption = { passphrase: string; workFactor?: number } | { recipients: string[] }
/** What opens it. */
export type Decryption = { passphrase: string } | { identities: string[] }

/** Encrypts sources for the same readers, each under a key of its own. */
export type Seal = (source: ByteSource) => ByteSource

const CHUNK = 64 * 1024
const TAG = 16
const SEALED = CHUNK + TAG
const NONCE = 16
/** Chunks that are read together: a megabyte. */
const TOGETHER = 16
const WORK_FACTOR = 18
const WORK_FACTOR_MAX = 22
const SCRYPT_LABEL = 'age-encryption.org/v1/scrypt'

/**
 * Prepares encryption in the age format (age-encryption.org/v1). The result can be read from any place, as often as a network makes
 * necessary: the same bytes come each time. A source that changed in between is refused, since the same key must never
 * hide two texts. Throws for recipients that are none.
 */
export async function createSeal(ciphers: Ciphers, encryption: Encryption): Promise<Seal> {
  let fileKey = new Uint8Array(16)
  const encrypter = new Encrypter()
  const capture = (key: Uint8Array) => {
    fileKey = key.slice()
  }
  if ('passphrase' in encryption) {
    const { passphrase, workFactor = WORK_FACTOR } = encryption
    if (passphrase === '') throw new Error('a passphrase is needed')
    encrypter.addRecipient({
      async wrapFileKey(key) {
        capture(key)
        const salt = crypto.getRandomValues(new Uint8Array(16))
        const wrap = await ciphers.scrypt(passphrase, labelled(salt), workFactor)
        const body = ciphers.seal(wrap, new Uint8Array(12), key)
        return [new Stanza(['scrypt', base64(salt), String(workFactor)], body)]
      },
    })
  } else {
    if (encryption.recipients.length === 0) throw new Error('a recipient is needed')
    for (const recipient of encryption.recipients) encrypter.addRecipient(recipient)
    encrypter.addRecipient({
      wrapFileKey(key) {
        capture(key)
        return []
      },
    })
  }
  // What the library makes of nothing is the header, a nonce and one empty chunk.
  const empty = await encrypter.encrypt(new Uint8Array(0))
  const header = empty.slice(0, empty.length - NONCE - TAG)
  return (source) => sealed(ciphers, source, header, fileKey)
}

/** Each source gets a nonce, and with it a key, of its own. */
function sealed(ciphers: Ciphers, source: ByteSource, header: Uint8Array, fileKey: Uint8Array): ByteSource {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE))
  const chunks = Math.max(1, Math.ceil(source.size / CHUNK))
  const front = new Uint8Array(header.length + NONCE)
  front.set(header)
  front.set(nonce, header.length)
  const size = front.length + source.size + chunks * TAG
  /** The tag of every chunk that was made: another tag means another text. */
  const tags: (Uint8Array | undefined)[] = []
  let key: Promise<Uint8Array> | undefined

  return {
    name: source.name,
    size,
    modified: source.modified,
    async *read(start, end) {
      key ??= hkdf(fileKey, nonce, 'payload')
      const streamKey = await key
      if (start < front.length) yield front.slice(start, Math.min(end, front.length))
      if (end <= front.length) return
      const first = Math.floor(Math.max(start - front.length, 0) / SEALED)
      const last = Math.min(chunks, Math.ceil((end - front.length) / SEALED))
      for (let at = first; at < last; at += TOGETHER) {
        const until = Math.min(at + TOGETHER, last)
        const plain = await take(source, at * CHUNK, Math.min(until * CHUNK, source.size))
        const out = new Uint8Array(plain.length + (until - at) * TAG)
        for (let chunk = at; chunk < until; chunk++) {
          const from = (chunk - at) * CHUNK
          const one = ciphers.seal(
            streamKey,
            chunkNonce(chunk, chunk === chunks - 1),
            plain.subarray(from, from + CHUNK),
          )
          const tag = one.slice(-TAG)
          if (tags[chunk]?.some((byte, index) => byte !== tag[index])) throw new Error('the file has changed')
          tags[chunk] = tag
          out.set(one, (chunk - at) * SEALED)
        }
        const offset = front.length + at * SEALED
        yield out.subarray(Math.max(start - offset, 0), Math.min(end - offset, out.length))
      }
    },
  }
}

async function take(source: ByteSource, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start)
  let at = 0
  if (end > start)
    for await (const piece of source.read(start, end)) {
      bytes.set(piece, at)
      at += piece.length
    }
  if (at !== bytes.length) throw new Error('the file has become shorter')
  return bytes
}

/** Opens an encrypted stream. Resolves once the header was read; rejects when none of the keys fits. */
export async function openSealed(
  ciphers: Ciphers,
  decryption: Decryption,
  stream: ReadableStream<Uint8Array>,
): Promise<ReadableStreamWithSize> {
  const decrypter = new Decrypter()
  if ('passphrase' in decryption) decrypter.addIdentity(passphraseIdentity(ciphers, decryption.passphrase))
  else for (const identity of decryption.identities) decrypter.addIdentity(identity)
  return decrypter.decrypt(stream)
}

function passphraseIdentity(ciphers: Ciphers, passphrase: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const [stanza] = stanzas
      const [kind, salt = '', logN = ''] = stanza?.args ?? []
      // "If present, an scrypt recipient stanza MUST be the only one in the header."
      if (!stanza || kind !== 'scrypt' || stanzas.length !== 1) return null
      if (!/^[1-9]\d?$/.test(logN) || Number(logN) > WORK_FACTOR_MAX) throw new Error('a work factor that is too large')
      const wrap = await ciphers.scrypt(passphrase, labelled(unbase64(salt)), Number(logN))
      try {
        return ciphers.open(wrap, new Uint8Array(12), stanza.body)
      } catch {
        return null
      }
    },
  }
}

/** Eleven bytes that count, and one that marks the last chunk. */
function chunkNonce(chunk: number, last: boolean): Uint8Array {
  const nonce = new Uint8Array(12)
  const view = new DataView(nonce.buffer)
  view.setUint32(3, Math.floor(chunk / 2 ** 32))
  view.setUint32(7, chunk % 2 ** 32)
  nonce[11] = last ? 1 : 0
  return nonce
}

async function hkdf(secret: Uint8Array, salt: Uint8Array, info: string): Promise<Uint8Array> {
  const extracted = await hmac(salt, secret)
  const text = new TextEncoder().encode(info)
  const block = new Uint8Array(text.length + 1)
  block.set(text)
  block[text.length] = 1
  return hmac(extracted, block)
}

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const pad = (value: number, rest: Uint8Array) => {
    const bytes = new Uint8Array(64 + rest.length).fill(value, 0, 64)
    for (const [index, byte] of key.entries()) bytes[index]! ^= byte
    bytes.set(rest, 64)
    return bytes
  }
  return sha256(pad(0x5c, await sha256(pad(0x36, message))))
}

function labelled(salt: Uint8Array): Uint8Array {
  const label = new TextEncoder().encode(SCRYPT_LABEL)
  const bytes = new Uint8Array(label.length + salt.length)
  bytes.set(label)
  bytes.set(salt, label.length)
  return bytes
}

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')
const unbase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
