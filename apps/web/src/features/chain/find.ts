/** What somebody looks for on the chain. */
export type Sought =
  | { kind: 'transaction'; hash: string }
  | { kind: 'block'; height: string }
  | { kind: 'address'; address: string }

/** Reads what was typed; undefined when it names nothing on a chain. @param prefix what its addresses begin with */
export function readSought(text: string, prefix: string): Sought | undefined {
  const plain = text.trim()
  const hash = readHash(plain)
  if (hash) return { kind: 'transaction', hash }
  const height = plain.replace(/^#/, '').replace(/[, ]/g, '')
  if (isHeight(height)) return { kind: 'block', height }
  const address = plain.toLowerCase()
  return address.startsWith(`${prefix}1`) && isAddress(address) ? { kind: 'address', address } : undefined
}

/** The hash of a transaction as the chain writes it. */
export const readHash = (text: string): string | undefined =>
  /^(0x)?[0-9a-f]{64}$/i.test(text) ? text.replace(/^0x/i, '').toUpperCase() : undefined

export const isHeight = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

/** Whether it looks like an address; only the chain knows whether it is one. */
export const isAddress = (text: string): boolean => /^[a-z][a-z\d]*1[02-9ac-hj-np-z]{6,120}$/.test(text)
