import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { getDomain, getPublicSuffix } from 'tldts'

/** RFC 1035: 253 characters without the last dot. */
const NAME_MAX = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** What no host name contains, and what `domainToASCII` would cut off or decode. */
const FORBIDDEN = /[\s/\\?#@:%[\]*_,;"'<>]/
/** The public suffix list also contains suffixes of companies below which customers have names, such as github.io. */
const SUFFIXES = { allowPrivateDomains: true }

/**
 * A domain as a customer types it, as ASCII in lower case (IDNA); undefined if it is no host name of at least two labels: no address, no
 * wildcard, no public suffix such as co.uk, no port or path.
 */
export function toHostname(text: string): string | undefined {
  if (text.length > NAME_MAX * 4 || FORBIDDEN.test(text)) return undefined
  const ascii = domainToASCII(text).toLowerCase()
  if (!isHostname(ascii)) return undefined
  return getPublicSuffix(ascii, SUFFIXES) === ascii ? undefined : ascii
}

/** Whether this is a host name in ASCII and lower case, of at least two labels. */
export function isHostname(name: string): boolean {
  const labels = name.split('.')
  // A last label of digits is an address, or part of one, for many programs.
  return (
    name.length <= NAME_MAX &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') &&
    isIP(name) === 0
  )
}

/** Whether a certificate can have this name: a host name, or `*.` before one. */
export const isCertificateName = (name: string): boolean => isHostname(name.replace(/^\*\./, ''))

/** The name that public CAs count certificates by: the public suffix and one label, such as example.co.uk. */
export const registeredDomainOf = (name: string): string => {
  const host = name.replace(/^\*\./, '')
  return getDomain(host, SUFFIXES) ?? host
}

/** Whether a name is a zone, or below it. */
export const isWithin = (name: string, zone: string): boolean => name === zone || name.endsWith(`.${zone}`)
