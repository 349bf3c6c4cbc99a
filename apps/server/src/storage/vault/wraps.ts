import type { VaultWayKind } from '@tidenet/contract'

/** The stanza that encrypts the key for each kind of way. */
const STANZAS: Readonly<Record<VaultWayKind, RegExp>> = {
  kit: /^X25519 [A-Za-z0-9+/]{43}$/,
  passphrase: /^scrypt [A-Za-z0-9+/]{22} ([1-9]|1\d|2[0-2])$/,
  passkey: /^age-encryption\.org\/fido2prf [A-Za-z0-9+/]{22}$/,
}
const ARMOR =
  /^-----BEGIN AGE ENCRYPTED FILE-----\n((?:[A-Za-z0-9+/=]{64}\n)*[A-Za-z0-9+/=]{1,64}\n)-----END AGE ENCRYPTED FILE-----\n?$/
/** An identity is a text of 74 characters, with a line break 75; the payload has a nonce and a tag of 16 bytes each. */
const PAYLOADS = [74 + 32, 75 + 32]

/**
 * Whether a text is an armored age file of a vault's key with the one stanza that this kind of way needs. The server cannot open it; but a
 * way that no client could open, or that holds something else, must not count as one.
 */
export function isWrap(kind: VaultWayKind, text: string): boolean {
  const body = ARMOR.exec(text)?.[1]
  if (body === undefined) return false
  const bytes = Buffer.from(body.replaceAll('\n', ''), 'base64')
  const lines = bytes.toString('latin1').split('\n', 4)
  const [version, stanza, key, mac] = lines
  return (
    version === 'age-encryption.org/v1' &&
    stanza?.startsWith('-> ') === true &&
    STANZAS[kind].test(stanza.slice(3)) &&
    key !== undefined &&
    /^[A-Za-z0-9+/]{43}$/.test(key) &&
    mac !== undefined &&
    /^--- [A-Za-z0-9+/]{43}$/.test(mac) &&
    PAYLOADS.includes(bytes.length - lines.reduce((length, line) => length + line.length + 1, 0))
  )
}
