import { createHash, createPublicKey } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'

/**
 * Names of nodes: `<address with dashes>.<label>.<zone>`. The label follows from the node's key, and the address is in the name itself, so
 * that answering for a name needs no state. A node that is reached through a relay has the relay's address in its name.
 */

/** 20 bytes of a hash. */
export const NODE_LABEL = /^[a-z2-7]{32}$/
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const HASH_BYTES = 20

/** The label of a node. @param publicKey its raw Ed25519 key, base64url */
export function nodeLabelOf(publicKey: string): string {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
  const hash = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
  let bits = ''
  for (const byte of hash.subarray(0, HASH_BYTES)) bits += byte.toString(2).padStart(8, '0')
  return bits.replace(/.{5}/g, (five) => ALPHABET.charAt(Number.parseInt(five, 2)))
}

/** @param address IPv4 or IPv6 */
export const nodeNameOf = (address: string, label: string, zone: string): string =>
  `${dashed(address)}.${label}.${zone}`

/** The https origin of a node at a place: its own, or that of its relay. */
export const nodeOriginOf = (
  { address, port }: { address: string; port: number },
  label: string,
  zone: string,
): string => `https://${nodeNameOf(address, label, zone)}${port === 443 ? '' : `:${port}`}`

/** Address and label of a name; undefined if it is none of the zone. @param name in lower case */
export function readNodeName(name: string, zone: string): { address: string; label: string } | undefined {
  if (zone === '' || !name.endsWith(`.${zone}`)) return undefined
  const [first = '', label = '', more] = name.slice(0, -zone.length - 1).split('.')
  const address = undashed(first)
  return more === undefined && address !== undefined && NODE_LABEL.test(label) ? { address, label } : undefined
}

/** IPv6 addresses with all groups: a label must not begin with a dash. */
function dashed(address: string): string {
  if (isIPv4(address)) return address.replaceAll('.', '-')
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const zeros = Array(8 - groups.length - rest.length).fill('0')
  return [...groups, ...(tail === undefined ? [] : zeros), ...rest].join('-')
}

/** Only the one spelling that `dashed` gives. */
function undashed(text: string): string | undefined {
  const parts = text.split('-')
  const address = parts.length === 4 ? parts.join('.') : parts.join(':')
  if (parts.length === 4 ? !isIPv4(address) : parts.length !== 8 || !isIPv6(address)) return undefined
  return dashed(address) === text ? address : undefined
}
