import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface TargetRules {
  /** Also private addresses, any port and http, for development. */
  privateToo: boolean
  /** Also http in production. */
  httpToo?: boolean
}

/**
 * Whether a program may connect to a URL that a stranger names. `guardedFetch` checks the address that the name leads to, for every connection.
 * URLs with a user name or a password are refused, because URLs are listed and logged.
 */
export function isOutsideTarget(
  { protocol, username, password, hostname, port }: URL,
  { privateToo, httpToo = false }: TargetRules,
): boolean {
  if (username !== '' || password !== '' || hostname === '') return false
  if (protocol !== 'https:' && !(protocol === 'http:' && (privateToo || httpToo))) return false
  if (privateToo) return true
  // Other ports below 1024 belong to other services, such as e-mail. 80 and 443 are empty if they are those of the protocol.
  if (port !== '' && Number(port) < 1024) return false
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 || isPublicAddress(address)
}
