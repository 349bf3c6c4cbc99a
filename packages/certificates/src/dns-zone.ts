import { isIPv4, isIPv6 } from 'node:net'
import type { Answer } from 'dns-packet'
import { CHALLENGE_LABEL } from './challenges.ts'
import { type Query, RCODE, type Response, TYPE } from './dns-message.ts'
import { isWithin } from './hostnames.ts'

export interface Zone {
  /** Such as `apps.example.com`, in lower case; also `_acme-challenge.example.com`, to which only that name was delegated. */
  zone: string
  /** Names of the servers of the zone, the same as in the delegation. At least one; two on different machines in production. */
  nameservers: readonly string[]
  /**
   * IP addresses of a name of the zone, in lower case: the zone itself, or below it. Undefined: the name does not exist; empty: it exists,
   * and has none, such as a name that others are below of.
   */
  addresses: (name: string) => readonly string[] | undefined
  /** Texts of a name whose first label is `_acme-challenge`. */
  texts: (name: string) => Promise<readonly string[]>
  /**
   * CAs that may issue for the zone, as in CAA records: `letsencrypt.org`, or `letsencrypt.org; accounturi=https://…` for one account
   * alone. Default: no CAA record, so every CA may.
   */
  issuers?: readonly string[]
  /**
   * Strangers choose addresses of names in the zone, as names that contain their address do: at that address they would pass HTTP-01 and
   * TLS-ALPN-01 for somebody else's name. CAA records then allow wildcard certificates only, which CAs give for DNS-01 alone, and none
   * without `issuers`.
   */
  wildcardsOnly?: boolean
}

/** Seconds that resolvers keep addresses, and what does not exist. */
const TTL = 300
const NEGATIVE_TTL = 60
/** Texts change with every order. */
const TEXT_TTL = 5
/** Names that are not made of these are nobody's. */
const NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

/** Answers for a whole network of names below the zone, such as `*.apps.example.com`, with the same addresses. */
export const everyName =
  (zone: string, addresses: readonly string[]) =>
  (name: string): readonly string[] | undefined =>
    isWithin(name, zone) && name.split('.').length <= zone.split('.').length + 1 ? addresses : undefined

/** What the zone answers to a query. */
export async function answerOf(zone: Zone, query: Query): Promise<Response> {
  if (query.edns && query.edns.version > 0) return { code: RCODE.badVersion }
  const name = query.name.toLowerCase()
  if (!query.isInternet || !NAME.test(name) || !isWithin(name, zone.zone)) return { code: RCODE.refused }
  // Long answers to short questions are what attackers look for (RFC 8482), and the zone is nobody's to copy.
  if (query.type === TYPE.ANY || query.type === TYPE.AXFR || query.type === TYPE.IXFR) return { code: RCODE.refused }

  const found = await recordsOf(zone, name, query)
  if (found && found.length > 0) return { code: RCODE.noError, answers: found, isAuthoritative: true }
  const authorities = [soaOf(zone)]
  return { code: found ? RCODE.noError : RCODE.nameUnknown, authorities, isAuthoritative: true }
}

/** Undefined: the name does not exist. */
async function recordsOf(zone: Zone, name: string, query: Query): Promise<Answer[] | undefined> {
  const isApex = name === zone.zone
  if (name.startsWith(`${CHALLENGE_LABEL}.`)) {
    if (query.type === TYPE.TXT) {
      const texts = await zone.texts(name)
      if (texts.length > 0) return texts.map((text) => ({ type: 'TXT', name: query.name, ttl: TEXT_TTL, data: [text] }))
    }
    if (!isApex) return []
  }
  const addresses = zone.addresses(name)
  if (!addresses && !isApex) return undefined
  const of = (type: 'A' | 'AAAA', isOf: (address: string) => boolean): Answer[] =>
    (addresses ?? []).filter(isOf).map((data) => ({ type, name: query.name, ttl: TTL, data }))
  switch (query.type) {
    case TYPE.A:
      return of('A', isIPv4)
    case TYPE.AAAA:
      return of('AAAA', isIPv6)
  }
  if (!isApex) return []
  switch (query.type) {
    case TYPE.SOA:
      return [{ ...soaOf(zone), name: query.name }]
    case TYPE.NS:
      return zone.nameservers.map((data) => ({ type: 'NS', name: query.name, ttl: TTL, data }))
    case TYPE.CAA:
      return issuersOf(zone).map((data) => ({ type: 'CAA', name: query.name, ttl: TTL, data: { flags: 0, ...data } }))
    default:
      return []
  }
}

function issuersOf({ issuers = [], wildcardsOnly = false }: Zone): { tag: 'issue' | 'issuewild'; value: string }[] {
  if (!wildcardsOnly) return issuers.map((value) => ({ tag: 'issue', value }))
  return [{ tag: 'issue', value: ';' }, ...issuers.map((value) => ({ tag: 'issuewild' as const, value }))]
}

const soaOf = ({ zone, nameservers }: Zone): Extract<Answer, { type: 'SOA' }> => ({
  type: 'SOA',
  name: zone,
  ttl: NEGATIVE_TTL,
  data: {
    mname: nameservers[0] ?? zone,
    rname: `hostmaster.${zone}`,
    // Nobody copies the zone, so its number need not grow.
    serial: 1,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: NEGATIVE_TTL,
  },
})
