import { isIP } from 'node:net'

/** For whom passkeys are made: the browser binds each to `id` and says the origin it was asked on. */
export interface RelyingParty {
  id: string
  origins: string[]
}

/**
 * From the portal's public address. Browsers take no IP address: one of this machine stands for localhost, with any other there are no
 * passkeys (undefined).
 */
export function relyingPartyOf(portalUrl: string): RelyingParty | undefined {
  const { hostname, protocol, port, origin } = new URL(portalUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!isIP(host)) return { id: host, origins: [origin] }
  if (host !== '::1' && !host.startsWith('127.')) return undefined
  return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] }
}
