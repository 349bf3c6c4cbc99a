import { sha256 } from '@noble/hashes/sha2.js'
import { concat, fromBase64, isEqual, toBase64, utf8 } from './bytes.ts'
import { LOG_NAME } from './claims.ts'
import { isSigned } from './ed25519.ts'
import type { Tree } from './merkle.ts'

/** Signed notes (C2SP signed-note) that contain checkpoints (C2SP tlog-checkpoint). */

export interface Checkpoint extends Tree {
  /** Name of the log, and of the key that signs. */
  origin: string
}

export interface Note {
  /** What is signed, with the newline at its end. */
  text: string
  signatures: { name: string; keyId: Uint8Array; signature: Uint8Array }[]
}

const SIGNATURES_MAX = 16
/** Ed25519 in C2SP signed-note. */
const ALGORITHM = 1

/** The text to be signed. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${toBase64(root)}\n`

/** The first four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ key). */
export const noteKeyId = (name: string, key: Uint8Array): Uint8Array =>
  sha256(concat(utf8(name), Uint8Array.of(0x0a, ALGORITHM), key)).slice(0, 4)

/** A note with one signature, of the text. */
export const signedNote = (text: string, name: string, key: Uint8Array, signature: Uint8Array): string =>
  `${text}\n— ${name} ${toBase64(concat(noteKeyId(name, key), signature))}\n`

/** Undefined if it is not a note. */
export function parseNote(note: string): Note | undefined {
  const end = note.lastIndexOf('\n\n')
  // Control characters are not allowed, except for newlines.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  if (end < 0 || !note.endsWith('\n') || /[\0-\x09\x0b-\x1f]/.test(note)) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > SIGNATURES_MAX) return undefined
  const signatures: Note['signatures'] = []
  for (const line of lines) {
    const [, name, text = ''] = /^— ([!-*,-~]+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? []
    const bytes = fromBase64(text)
    if (!name || !bytes || bytes.length < 5) return undefined
    signatures.push({ name, keyId: bytes.slice(0, 4), signature: bytes.slice(4) })
  }
  return { text: note.slice(0, end + 1), signatures }
}

/** Undefined if the text of a note is not a checkpoint of a Tidenet log. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [, origin = '', digits, hash = ''] = /^([^\n]+)\n(0|[1-9][0-9]{0,15})\n([^\n]+)\n$/.exec(text) ?? []
  const [size, root] = [Number(digits), fromBase64(hash)]
  if (!LOG_NAME.test(origin) || !Number.isSafeInteger(size) || root?.length !== 32) return undefined
  return { origin, size, root }
}

/** `unsigned`: there is no signature of this name and key. Others are ignored: witnesses can add theirs. */
export async function checkNote(
  { text, signatures }: Note,
  name: string,
  key: Uint8Array,
): Promise<'signed' | 'unsigned' | 'invalid'> {
  const keyId = noteKeyId(name, key)
  const ours = signatures.filter((one) => one.name === name && isEqual(one.keyId, keyId))
  if (ours.length === 0) return 'unsigned'
  const valid = await Promise.all(ours.map(({ signature }) => isSigned(key, utf8(text), signature)))
  return valid.every(Boolean) ? 'signed' : 'invalid'
}
