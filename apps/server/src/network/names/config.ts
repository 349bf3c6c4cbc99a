import { isWithin } from '@tidenet/certificates'
import { addressAndPort, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env } from '../../platform/config.ts'
import { acmeDirectory, isHostName, listOf } from '../../platform/lists.ts'

/** Settings for names and certificates of nodes. */
export interface NamesConfig {
  /** The DNS zone of nodes, such as `nodes.example.net`; empty: nodes have no names, and nothing of this runs. */
  zone: string
  /** `local`: a CA of this installation issues the certificates, for a network on one machine. `acme`: public CAs do. */
  tls: 'local' | 'acme' | 'off'
  acme: NodesAcme
  /** Where the name server of the zone listens; undefined: none on this server. */
  dns: { host: string; port: number } | undefined
  /** Host names of the name servers, as in the delegation. */
  nameservers: readonly string[]
}

/** Public CAs for the certificates of nodes. */
export interface NodesAcme {
  /** The preferred one first. */
  authorities: readonly { directory: string; externalAccount?: { kid: string; hmacKey: string } }[]
  email: string
  /** Kind of certificate of the preferred CA; empty: its choice. */
  profile: string
  /** Path of PEM certificates that the CAs' own servers are trusted by; empty: those of Node.js. */
  roots: string
  /** The CAs in CAA records, with `accounturi` if given; no other CA may issue. */
  issuers: readonly string[]
  /** Certificates a week for new nodes: the CA's limit for one registered domain. */
  weekly: number
}

const NO_ACME: NodesAcme = { authorities: [], email: '', profile: '', roots: '', issuers: [], weekly: 50 }
export const NO_NAMES: NamesConfig = { zone: '', tls: 'off', acme: NO_ACME, dns: undefined, nameservers: [] }

/** The account is that of the server's orders, so that nobody else's orders at the same CA are accepted (RFC 8657). */
const isIssuer = (text: string): boolean => {
  const [name = '', account, ...more] = text.split(';').map((part) => part.trim())
  return (
    isHostName(name) && (account === undefined || /^accounturi=https:\/\/[\w.:/-]+$/.test(account)) && more.length === 0
  )
}

/** Browsers resolve names below `localhost` themselves. */
const LOCAL_ZONE = 'nodes.localhost'
const LOCAL_DNS = { host: '127.0.0.1', port: 8053 }

const listening = addressAndPort('an address and a port such as 192.0.2.1:53').optional()
const externalAccount = z
  .string()
  .regex(/^[^:]+:[A-Za-z0-9_-]+$/, 'expected the key identifier and the HMAC key of the CA, with a colon between them')
  .transform((text) => ({ kid: text.slice(0, text.indexOf(':')), hmacKey: text.slice(text.indexOf(':') + 1) }))
  .optional()

/**
 * @param portal the public address of the portal; empty: not known
 * @throws ConfigError naming every variable that is wrong; StartError if they do not fit together
 */
export function readNamesConfig(env: Env, portal = ''): NamesConfig {
  const given = readConfig(
    {
      tls: { from: 'TIDENET_TLS', type: z.enum(['local', 'off']).default('off') },
      zone: {
        from: 'TIDENET_ZONE',
        type: z.string().refine(isHostName, 'expected a zone such as nodes.example.net').or(z.literal('')).optional(),
      },
      dns: { from: 'TIDENET_DNS', type: listening },
      nameservers: { from: 'TIDENET_NAMESERVERS', type: listOf(isHostName, 'host names such as ns1.example.net') },
      directory: { from: 'TIDENET_ACME', type: acmeDirectory.optional() },
      account: { from: 'TIDENET_ACME_EAB', type: externalAccount },
      fallback: { from: 'TIDENET_ACME_FALLBACK', type: acmeDirectory.optional() },
      fallbackAccount: { from: 'TIDENET_ACME_FALLBACK_EAB', type: externalAccount },
      email: { from: 'TIDENET_ACME_EMAIL', type: z.email().or(z.literal('')).default('') },
      profile: { from: 'TIDENET_ACME_PROFILE', type: z.string().default('') },
      roots: { from: 'TIDENET_ACME_ROOTS', type: z.string().default('') },
      weekly: { from: 'TIDENET_ACME_WEEKLY', type: z.coerce.number().int().min(1).max(1_000_000).default(50) },
      issuers: { from: 'TIDENET_CAA', type: listOf(isIssuer, 'names of CAs such as letsencrypt.org') },
    },
    env,
  )
  const { tls, directory, dns, nameservers } = given
  const zone = given.zone ?? (tls === 'local' ? LOCAL_ZONE : '')
  if (tls === 'local') {
    if (directory) throw new StartError('Set TIDENET_TLS=local or TIDENET_ACME, not both.')
    return zone === '' ? NO_NAMES : { zone, tls, acme: NO_ACME, dns: dns ?? LOCAL_DNS, nameservers: [`ns.${zone}`] }
  }
  if (zone === '') {
    if (directory) throw new StartError('TIDENET_ACME needs TIDENET_ZONE, the zone in which nodes have names.')
    return NO_NAMES
  }
  if (!directory)
    throw new StartError(
      `TIDENET_ZONE=${zone} needs TIDENET_ACME, the directory of a CA, or TIDENET_TLS=local for a network on one machine.`,
    )
  if (dns && nameservers.length === 0)
    throw new StartError('TIDENET_DNS needs TIDENET_NAMESERVERS, the names of the delegation.')
  // Without CAA records, whoever has an address could get a certificate for every name that contains it.
  if (dns && given.issuers.length === 0)
    throw new StartError(
      'TIDENET_DNS needs TIDENET_CAA, the names of your CAs in CAA records, such as letsencrypt.org: no other CA may then issue for nodes.',
    )
  const inside = nameservers.find((name) => isWithin(name, zone))
  if (inside)
    throw new StartError(`TIDENET_NAMESERVERS: ${inside} must not be in ${zone}, whose names are those of nodes.`)
  const { hostname } = new URL(portal || 'http://localhost')
  if (isWithin(hostname, zone) || isWithin(zone, hostname))
    throw new StartError(
      `TIDENET_ZONE=${zone} must be apart from the portal's host ${hostname}: nodes are strangers, whose pages must not be of the same site.`,
    )
  const { email, profile, roots, issuers, weekly, account, fallback, fallbackAccount } = given
  const authorities = [
    { directory, ...(account && { externalAccount: account }) },
    ...(fallback ? [{ directory: fallback, ...(fallbackAccount && { externalAccount: fallbackAccount }) }] : []),
  ]
  const acme: NodesAcme = { authorities, email, profile, roots, issuers, weekly }
  return { zone, tls: 'acme', acme, dns, nameservers }
}
