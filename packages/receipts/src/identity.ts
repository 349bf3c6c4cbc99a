import { fromBech32 } from '@cosmjs/encoding'
import { z } from 'zod'
import { count, publicKey } from './claims.ts'

/**
 * By what a client recognizes a network. Every client follows the same rule: it remembers at first use all keys and addresses that the portal
 * publishes, and replaces none of them by itself.
 */

/** Path below a portal that lists its public keys (RFC 7517), and in the member `anchors` the addresses of its operators. */
export const KEYS_PATH = '/.well-known/jwks.json'

const isAddress = (text: string): boolean => {
  try {
    return fromBech32(text).data.length === 20
  } catch {
    return false
  }
}

const anchorAddress = z.object({
  /** Id of the chain. */
  chain: z.string().regex(/^[!-~]{1,100}$/),
  /** Bech32. */
  address: z.string().max(90).refine(isAddress),
})
/** An address that signs anchors. */
export type AnchorAddress = z.infer<typeof anchorAddress>

const networkKey = z.object({
  /** Ed25519, base64url. */
  key: publicKey,
  /** It signed receipts that were issued from here on, in unix seconds, and until here. Absent: no limit. */
  from: count.optional(),
  until: count.optional(),
})
export type NetworkKey = z.infer<typeof networkKey>

export interface NetworkIdentity {
  keys: readonly NetworkKey[]
  anchors: readonly AnchorAddress[]
}

export const NO_IDENTITY: NetworkIdentity = { keys: [], anchors: [] }

const listOf = <T>(type: z.ZodType<T>, value: unknown): T[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => type.safeParse(each).data ?? [])

/** The identity in a key set; other keys in it sign other things. */
export function identityIn(keySet: unknown): NetworkIdentity {
  const { keys, anchors } = (keySet ?? {}) as { keys?: unknown; anchors?: unknown }
  const ofReceipts = (Array.isArray(keys) ? keys : []).flatMap((each: unknown) => {
    const { kty, crv, kid, x, nbf, exp } = (each ?? {}) as Record<string, unknown>
    const isForReceipts = kty === 'OKP' && crv === 'Ed25519' && typeof kid === 'string' && kid.startsWith('tr-')
    return isForReceipts ? [{ key: x, from: nbf, until: exp }] : []
  })
  return { keys: listOf(networkKey, ofReceipts), anchors: listOf(anchorAddress, anchors) }
}

/** What a client stored, which anyone may have edited. */
export function storedIdentity(stored: unknown): NetworkIdentity {
  const { keys, anchors } = (stored ?? {}) as { keys?: unknown; anchors?: unknown }
  return { keys: listOf(networkKey, keys), anchors: listOf(anchorAddress, anchors) }
}

/** Whether the portal can add something to what a client remembers. */
export const isIncomplete = ({ keys, anchors }: NetworkIdentity): boolean => keys.length === 0 || anchors.length === 0

/**
 * What a client remembers after the portal published something: nothing known is replaced. A network without a chain has no addresses at
 * first; they are added if the portal still publishes a key that is known.
 */
export function remember(known: NetworkIdentity, published: NetworkIdentity): NetworkIdentity {
  if (known.keys.length === 0) return published
  const isSame = published.keys.some(({ key }) => known.keys.some((each) => each.key === key))
  return known.anchors.length > 0 || !isSame ? known : { ...known, anchors: published.anchors }
}

/** `CHAIN:ADDRESS`, as people enter it. Undefined if it is none. */
export function parseAnchorAddress(text: string): AnchorAddress | undefined {
  const at = text.lastIndexOf(':')
  return anchorAddress.safeParse({ chain: text.slice(0, Math.max(0, at)), address: text.slice(at + 1) }).data
}

export const formatAnchorAddress = ({ chain, address }: AnchorAddress): string => `${chain}:${address}`
