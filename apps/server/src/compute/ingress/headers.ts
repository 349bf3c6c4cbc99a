import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { cookiesOf } from './gate.ts'

/** What is removed from requests and answers on their way, because only one side of the ingress may know or say it. */

/** About a single connection (RFC 9110, 7.6.1). `expect`: we have answered it. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** What only we may say about the visitor, and all that begins with `x-forwarded-`. */
const ABOUT_VISITOR = new Set(['forwarded', 'true-client-ip', 'x-client-ip', 'x-real-ip'])

/** @param more names that the header `Connection` has: they are about the connection, too */
const isOfConnection = (name: string, more: readonly string[]): boolean => HOP_BY_HOP.has(name) || more.includes(name)

const namedBy = ({ connection }: IncomingHttpHeaders): string[] =>
  connection === undefined || connection === 'keep-alive' || connection === 'close'
    ? []
    : connection.split(',').map((name) => name.trim().toLowerCase())

/** Many programs read `x_real_ip` as `x-real-ip`. */
function isAboutVisitor(name: string): boolean {
  const usual = name.includes('_') ? name.replaceAll('_', '-') : name
  return usual.startsWith('x-forwarded-') || ABOUT_VISITOR.has(usual)
}

export interface Visitor {
  ip: string
  /** As the visitor wrote it. */
  host: string
  protocol: string
  /** The name of the cookie with the pass. */
  cookie: string
}

/** The headers of a request, as its program gets them. */
export function headersForProgram(given: IncomingHttpHeaders, visitor: Visitor): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { host: visitor.host }
  const more = namedBy(given)
  for (const name in given) {
    if (name === 'host' || name === 'cookie' || name.startsWith(':') || isOfConnection(name, more)) continue
    const value = given[name]
    if (value !== undefined && !isAboutVisitor(name)) headers[name] = value
  }
  const cookies = given.cookie?.includes(visitor.cookie)
    ? cookiesOf(given.cookie)
        .filter(([name]) => name !== visitor.cookie)
        .map((pair) => pair.join('='))
        .join('; ')
    : given.cookie
  if (cookies) headers.cookie = cookies
  headers['x-forwarded-for'] = visitor.ip
  headers['x-forwarded-host'] = visitor.host
  headers['x-forwarded-proto'] = visitor.protocol
  return headers
}

/**
 * The headers of a program's answer, as its visitor gets them: nothing in them reaches beyond the program's own address.
 * @param cookie the name of the cookie with the pass
 */
export function headersForVisitor(given: IncomingHttpHeaders, cookie: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  const more = namedBy(given)
  for (const name in given) if (!isOfConnection(name, more)) headers[name] = given[name]
  // Another port of this host may be another tenant's.
  delete headers['alt-svc']
  if (given['set-cookie']) headers['set-cookie'] = ownCookies(given['set-cookie'], cookie)
  const cleared = headers['clear-site-data']
  if (cleared !== undefined) headers['clear-site-data'] = ownSiteData(String(cleared))
  return headers
}

/** Cookies stay with their program: the last of several domains counts, so all are removed. The pass is ours to give. */
const ownCookies = (given: readonly string[], cookie: string): string[] =>
  given
    .map((each) => each.replaceAll(/;\s*domain\s*(=[^;]*)?(?=;|$)/gi, ''))
    // A cookie without a name is sent like one that has the name in its value.
    .filter((each) => !new RegExp(`^\\s*=?\\s*${cookie}\\s*(=|;|$)`, 'i').test(each))

/** Browsers clear cookies of all addresses beside this one, too, those of other tenants among them. */
const ownSiteData = (given: string): string =>
  given
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '"cookies"')
    .map((each) => (each === '"*"' ? '"cache", "storage"' : each))
    .join(', ')
