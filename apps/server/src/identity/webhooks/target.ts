import { isIP } from 'node:net'
import { AppError } from '@tidenet/contract'
import { isPublicAddress } from '@tidenet/daemon'
import { readUrl } from '../../platform/read-url.ts'

/**
 * Reads the URL of a webhook. The address that a name leads to is checked at every delivery.
 * @param privateToo also http and private addresses, for development
 * @throws AppError webhookUrl
 */
export function readTarget(text: string, privateToo: boolean): { url: string; host: string } {
  const url = readUrl(text)
  if (!url || !isAllowed(url, privateToo)) throw new AppError('webhookUrl')
  url.hash = ''
  return { url: url.href, host: url.host }
}

function isAllowed({ protocol, username, password, hostname, port }: URL, privateToo: boolean): boolean {
  if (username !== '' || password !== '' || hostname === '') return false
  if (privateToo) return protocol === 'https:' || protocol === 'http:'
  // Ports below 1024 belong to other services, such as e-mail, which a POST could reach.
  if (protocol !== 'https:' || (port !== '' && Number(port) < 1024)) return false
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 || isPublicAddress(address)
}
