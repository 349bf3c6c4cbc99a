import { sha256 } from '@tidenet/content'
import type { Identity, Recipient } from 'age-encryption'
import type { ByteSource } from './bytes.ts'
import type { Ciphers } from './platform/cipher.ts'

/** Who can decrypt: those who know the passphrase, or the holders of the recipients' keys. */
export type Encryption = { passphrase: string; workFactor?: number } | { recipients: string[] }
/** A passphrase or age identities; with both, the one that fits. */
export interface Decryption {
  passphrase?: string
  identities?: string[]
}
/** Keys that are not texts, such as a passkey. */
export type SealFor = Encryption | { recipients: (string | Recipient)[] }
export type OpenWith = Decryption | { identities: (string | Identity)[] }

/** Encrypts sources for the same recipients, each with its own key. */
export type Seal = (source: ByteSource) => ByteSource

const CHUNK = 64 * 1024
const TAG = 16
const SEALED = CHUNK + TAG
const NONCE = 16
/** Chunks that are read together: 1 MiB. */
const TOGETHER = 16
const HEADER_MAX = 1 << 20
const WORK_FACTOR = 18
const WORK_FACTOR_MAX = 22
/** Loaded on demand: it takes longer to load than the rest of this package. */
const age = () => import('age-encryption')
const SCRYPT_LABEL = 'age-encryption.org/v1/scrypt'

/**
 * Prepares encryption in the age format (age-encryption.org/v1). The sealed source can be read from any offset, repeatedly, with the same
 * result. A source that changed in between is refused, because a key must never encrypt two plaintexts. Throws for invalid recipients.
 */
export async function createSeal(ciphers: Ciphers, encryption: SealFor): Promise<Seal> {
  const { Encrypter, Stanza } = await age()
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
  // The output for empty input is the header, a nonce and one empty chunk.
  const empty = await encrypter.encrypt(new Uint8Array(0))
  const header = empty.slice(0, empty.length - NONCE - TAG)
  return (source) => sealed(ciphers, source, header, fileKey)
}

/** Each source gets its own nonce, and with it its own key. */
function sealed(ciphers: Ciphers, source: ByteSource, header: Uint8Array, fileKey: Uint8Array): ByteSource {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE))
  const chunks = Math.max(1, Math.ceil(source.size / CHUNK))
  const front = new Uint8Array(header.length + NONCE)
  front.set(header)
  front.set(nonce, header.length)
  const size = front.length + source.size + chunks * TAG
  /** Tag of every chunk produced: a different tag means that the plaintext changed. */
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

/** A ciphertext whose key was found. */
export interface OpenedText {
  /** Size of the plaintext for a given size of the ciphertext, bytes. */
  size(sealedSize: number): number
  /** The plaintext; throws if a byte was changed or the end is missing. */
  pieces: AsyncIterable<Uint8Array>
}

/** Decrypts a stream. Resolves after the header was read; rejects if no key fits. */
export async function openSealed(
  ciphers: Ciphers,
  decryption: OpenWith,
  sealed: AsyncIterable<Uint8Array>,
): Promise<OpenedText> {
  const decrypter = await decrypterFor(ciphers, decryption)
  const input = sealed[Symbol.asyncIterator]()
  let header: Uint8Array
  let rest: Uint8Array
  let fileKey: Uint8Array
  try {
    ;({ header, rest } = await readHeader(input))
    fileKey = await decrypter.decryptHeader(header)
  } catch (error) {
    await input.return?.()
    throw error
  }
  return {
    size(sealedSize) {
      const payload = sealedSize - header.length - NONCE
      return payload - Math.ceil(payload / SEALED) * TAG
    },
    pieces: openPayload(ciphers, fileKey, rest, input),
  }
}

/** A ciphertext of which any part can be decrypted. */
export interface OpenedSource {
  /** Bytes of the plaintext. */
  size: number
  /** The plaintext bytes [start, end); throws if a byte was changed. */
  read(start: number, end: number): Promise<Uint8Array>
}

/**
 * Prepares decryption of any part of a ciphertext. Rejects if no key fits.
 * @param size bytes of the ciphertext. It must be verified: reading a part cannot tell whether the end is missing
 */
export async function openSealedParts(
  ciphers: Ciphers,
  decryption: OpenWith,
  size: number,
  readSealed: (start: number, end: number) => Promise<Uint8Array>,
): Promise<OpenedSource> {
  const decrypter = await decrypterFor(ciphers, decryption)
  async function* front() {
    for (let at = 0; at < size; at += SEALED) yield await readSealed(at, Math.min(at + SEALED, size))
  }
  const input = front()
  let header: Uint8Array
  try {
    ;({ header } = await readHeader(input))
  } finally {
    await input.return()
  }
  const fileKey = await decrypter.decryptHeader(header)
  const begin = header.length + NONCE
  const chunks = Math.ceil((size - begin) / SEALED)
  if (chunks < 1 || size - begin - (chunks - 1) * SEALED < TAG) throw new Error('the file is cut off')
  const key = await hkdf(fileKey, await readSealed(header.length, begin), 'payload')
  const plainSize = size - begin - chunks * TAG
  return {
    size: plainSize,
    async read(start, end) {
      const to = Math.min(end, plainSize)
      if (start >= to) return new Uint8Array(0)
      const first = Math.floor(start / CHUNK)
      const last = Math.ceil(to / CHUNK)
      const sealed = await readSealed(begin + first * SEALED, Math.min(begin + last * SEALED, size))
      const plain = new Uint8Array(to - start)
      for (let chunk = first; chunk < last; chunk++) {
        const from = (chunk - first) * SEALED
        const opened = ciphers.open(key, chunkNonce(chunk, chunk === chunks - 1), sealed.subarray(from, from + SEALED))
        const offset = chunk * CHUNK - start
        plain.set(opened.subarray(Math.max(0, -offset), to - chunk * CHUNK), Math.max(0, offset))
      }
      return plain
    },
  }
}

async function decrypterFor(ciphers: Ciphers, decryption: OpenWith) {
  const { Decrypter } = await age()
  const decrypter = new Decrypter()
  for (const identity of decryption.identities ?? []) decrypter.addIdentity(identity)
  if ('passphrase' in decryption && decryption.passphrase !== undefined)
    decrypter.addIdentity(passphraseIdentity(ciphers, decryption.passphrase))
  return decrypter
}

/** What opens a ciphertext: a passphrase, an X25519 key such as that of a vault, or something else. */
export type SealedBy = 'passphrase' | 'key' | 'other'

/** Reads from the first bytes of a ciphertext what opens it; undefined if it is not one. */
export function sealedBy(front: Uint8Array): SealedBy | undefined {
  const [version, ...lines] = new TextDecoder('latin1').decode(front.subarray(0, 16 * 1024)).split('\n')
  if (version !== 'age-encryption.org/v1') return undefined
  const kinds = lines
    .slice(
      0,
      lines.findIndex((line) => line.startsWith('---')),
    )
    .flatMap((line) => /^-> (\S+)/.exec(line)?.[1] ?? [])
  return kinds.includes('X25519') ? 'key' : kinds.includes('scrypt') ? 'passphrase' : 'other'
}

/** Decrypts a stream, or passes it on unchanged if the key does not fit. */
export async function openOrKeep(
  ciphers: Ciphers,
  decryption: OpenWith,
  sealed: AsyncIterable<Uint8Array>,
): Promise<{ opened?: OpenedText; kept?: AsyncIterable<Uint8Array> }> {
  const input = sealed[Symbol.asyncIterator]()
  const taken: Uint8Array[] = []
  const rest = {
    next: () => input.next(),
    return: async () => (await input.return?.()) ?? { done: true as const, value: undefined },
  }
  let recording = true
  const recorded: AsyncIterator<Uint8Array> = {
    async next() {
      const piece = await input.next()
      if (recording && !piece.done) taken.push(piece.value)
      return piece
    },
    // A key that does not fit must not end the stream.
    return: async () => (recording ? { done: true, value: undefined } : rest.return()),
  }
  try {
    const opened = await openSealed(ciphers, decryption, { [Symbol.asyncIterator]: () => recorded })
    recording = false
    taken.length = 0
    return { opened }
  } catch {
    async function* all() {
      yield* taken
      yield* { [Symbol.asyncIterator]: () => rest }
    }
    return { kept: all() }
  }
}

/** Reads up to the end of the header: the line that begins with `---`. */
async function readHeader(input: AsyncIterator<Uint8Array>): Promise<{ header: Uint8Array; rest: Uint8Array }> {
  let bytes = new Uint8Array(0)
  for (;;) {
    const text = new TextDecoder('latin1').decode(bytes)
    const mac = text.indexOf('\n--- ')
    const end = mac < 0 ? -1 : text.indexOf('\n', mac + 1)
    if (end >= 0) return { header: bytes.slice(0, end + 1), rest: bytes.slice(end + 1) }
    if (bytes.length > HEADER_MAX) throw new Error('not an encrypted file')
    const next = await input.next()
    if (next.done) throw new Error('not an encrypted file')
    bytes = joined(bytes, next.value)
  }
}

async function* openPayload(
  ciphers: Ciphers,
  fileKey: Uint8Array,
  first: Uint8Array,
  input: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  let front = first
  try {
    while (front.length < NONCE) {
      const next = await input.next()
      if (next.done) throw new Error('the file is cut off')
      front = joined(front, next.value)
    }
    const key = await hkdf(fileKey, front.slice(0, NONCE), 'payload')
    const chunk = new Uint8Array(SEALED)
    let filled = 0
    let count = 0
    let piece: Uint8Array | undefined = front.subarray(NONCE)
    while (piece) {
      for (let at = 0; at < piece.length; ) {
        // A chunk is known not to be the last only if more data follows.
        if (filled === SEALED) {
          yield ciphers.open(key, chunkNonce(count++, false), chunk)
          filled = 0
        }
        const part: Uint8Array = piece.subarray(at, at + SEALED - filled)
        chunk.set(part, filled)
        filled += part.length
        at += part.length
      }
      const next = await input.next()
      piece = next.done ? undefined : next.value
    }
    if (filled < TAG || (filled === TAG && count > 0)) throw new Error('the file is cut off')
    yield ciphers.open(key, chunkNonce(count, true), chunk.subarray(0, filled))
  } finally {
    await input.return?.()
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(a.length + b.length)
  bytes.set(a)
  bytes.set(b, a.length)
  return bytes
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

/** A counter of eleven bytes and a flag for the last chunk. */
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
