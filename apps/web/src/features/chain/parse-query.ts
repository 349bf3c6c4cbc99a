/** What a search text identifies. */
export type ChainQuery =
  | { kind: 'transaction'; hash: string }
  | { kind: 'block'; height: string }
  | { kind: 'address'; address: string }

/** Parses a search text; undefined if it is no hash, height or address. @param prefix of the chain's addresses */
export function parseQuery(text: string, prefix: string): ChainQuery | undefined {
  const plain = text.trim()
  const hash = parseHash(plain)
  if (hash) return { kind: 'transaction', hash }
  const height = plain.replace(/^#/, '').replace(/[, ]/g, '')
  if (isHeight(height)) return { kind: 'block', height }
  const address = plain.toLowerCase()
  return address.startsWith(`${prefix}1`) && isAddress(address) ? { kind: 'address', address } : undefined
}

/** The hash of a transaction in the chain's notation: 64 upper-case hexadecimal digits. */
export const parseHash = (text: string): string | undefined =>
  /^(0x)?[0-9a-f]{64}$/i.test(text) ? text.replace(/^0x/i, '').toUpperCase() : undefined

export const isHeight = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

/** Checks the form of an address only, not whether it exists. */
export const isAddress = (text: string): boolean => /^[a-z][a-z\d]*1[02-9ac-hj-np-z]{6,120}$/.test(text)
