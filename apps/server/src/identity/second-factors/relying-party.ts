import { isIP } from 'node:net'

/** The WebAuthn relying party: passkeys are bound to `id`, and used at one of `origins`. */
export interface RelyingParty {
  id: string
  origins: string[]
}

/**
 * WebAuthn does not allow IP addresses: loopback addresses become `localhost`; with others, passkeys are unavailable.
 */
export function relyingPartyOf(portalUrl: string): RelyingParty | undefined {
  const { hostname, protocol, port, origin } = new URL(portalUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!isIP(host)) return { id: host, origins: [origin] }
  if (host !== '::1' && !host.startsWith('127.')) return undefined
  return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] }
}
