import { isIP } from 'node:net'
import { AppError, KEY_IPS_MAX } from '@tidenet/contract'

/** The field of a form that shows the error. */
const FIELD = { field: 'ips' }

/**
 * Reads IP addresses and ranges.
 * @returns without duplicates, each in its canonical form; a range without the bits after its prefix
 * @throws AppError keyIps, tooManyKeyIps
 */
export function readIps(texts: readonly string[]): string[] {
  const list = [...new Set(texts.map(readRange))]
  if (list.length > KEY_IPS_MAX) throw new AppError('tooManyKeyIps', { max: KEY_IPS_MAX }).with(FIELD)
  return list
}

function readRange(text: string): string {
  const [written = '', prefix, ...rest] = text.trim().split('/')
  // A zone such as %eth0 is a name that only the client's machine knows.
  const address = written.includes('%') ? '' : plainAddress(written)
  const family = isIP(address)
  const bits = family === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (family === 0 || rest.length > 0 || !(length <= bits))
    throw new AppError('keyIps', { text: [...text].slice(0, 60).join('') }).with(FIELD)
  const network = write(family, mask(bytesOf(family, address), length))
  return length === bits ? network : `${network}/${length}`
}

/** Whether an address is in the list. An empty list admits every address. */
export function admits(ips: readonly string[], ip: string): boolean {
  if (ips.length === 0) return true
  const address = plainAddress(ip)
  const family = isIP(address)
  if (family === 0) return false
  const bytes = bytesOf(family, address)
  // Not with `BlockList` of Node.js, for which ::/0 contains IPv4 addresses.
  return ips.some((entry) => {
    const [network = '', length] = entry.split('/')
    return isIP(network) === family && write(family, mask(bytes, Number(length ?? 128))) === network
  })
}

/** An IPv4 address that came through an IPv6 socket is an IPv4 address. */
export const plainAddress = (ip: string): string =>
  (ip.split('%')[0] ?? '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** The network of an address: an IPv4 /24, or the first three groups of an IPv6 address. */
export function coarseAddress(ip: string): string {
  const address = plainAddress(ip)
  const family = isIP(address)
  if (family === 0) return ''
  if (family === 4) return address.replace(/\d+$/, 'x')
  return write(6, mask(bytesOf(6, address), 48))
}

function bytesOf(family: number, address: string): number[] {
  if (family === 4) return address.split('.').map(Number)
  // URLs write IPv6 addresses in their canonical form, without a dotted part.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const all = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
}

const mask = (bytes: readonly number[], length: number): number[] =>
  bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, length - 8 * index))) & 255)

function write(family: number, bytes: readonly number[]): string {
  if (family === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  )
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
