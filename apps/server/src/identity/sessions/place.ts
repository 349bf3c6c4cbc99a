import { isIP } from 'node:net'
import type { Place } from '@tidenet/contract'
import { clientNetworkOf } from '../../platform/attempts/attempts.ts'

const LOCAL = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/
const LOCAL6 = /^(?:f[cd]|fe[89ab])/

/** Derives the kind of an IP address and its shortened network, without a geo-IP lookup. */
export function placeOf(ip: string): Place {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  const version = isIP(plain.split('%')[0] ?? '')
  if (version === 4) {
    if (plain.startsWith('127.')) return { kind: 'machine', network: '' }
    return { kind: LOCAL.test(plain) ? 'local' : 'public', network: plain.replace(/\.\d+$/, '.x') }
  }
  if (version !== 6) return { kind: 'unknown', network: '' }
  if (plain === '::1') return { kind: 'machine', network: '' }
  // The first three groups identify a provider or town, not a household.
  const network = clientNetworkOf(plain).split(':').slice(0, 3).join(':')
  return { kind: LOCAL6.test(plain.toLowerCase()) ? 'local' : 'public', network: `${network}::` }
}
