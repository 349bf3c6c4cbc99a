import { addressAndPort, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env } from '../../platform/config.ts'
import { acmeDirectory, isAddress, isHostName, listOf } from '../../platform/lists.ts'

/** Settings for certificates by ACME, and for the DNS that they need. */
export interface AcmeConfig {
  /** Address of the CA's directory. Empty: no certificates are ordered. */
  directory: string
  email: string
  /** Kind of certificate, of those that the CA offers; empty: the CA's choice. */
  profile: string
  /** Path of PEM certificates that the CA's own server is trusted by; empty: those of Node.js. */
  roots: string
  /** The CA's names in CAA records, such as `letsencrypt.org`. Empty: CAA records are neither published nor compared. */
  issuers: readonly string[]
  /** Where our name server listens; undefined: none on this server. */
  dns: { host: string; port: number } | undefined
  /** Host names of our name servers, as in the delegation. */
  nameservers: readonly string[]
  /** The delegated zone: the domain of programs, or `_acme-challenge.` before it. */
  zone: string
  /** Addresses of DNS servers to look up domains of customers; empty: those of the system. */
  resolvers: readonly string[]
}

export const NO_ACME: AcmeConfig = {
  directory: '',
  email: '',
  profile: '',
  roots: '',
  issuers: [],
  dns: undefined,
  nameservers: [],
  zone: '',
  resolvers: [],
}

const listening = addressAndPort('an address and a port such as 0.0.0.0:53').optional()

/**
 * @param domain of programs
 * @throws ConfigError naming every variable that is wrong
 */
export function readAcmeConfig(
  env: Env,
  { domain, addresses }: { domain: string; addresses: readonly string[] },
): AcmeConfig {
  const given = readConfig(
    {
      directory: { from: 'TIDENET_INGRESS_ACME', type: acmeDirectory.optional() },
      email: { from: 'TIDENET_INGRESS_ACME_EMAIL', type: z.email().or(z.literal('')).default('') },
      profile: { from: 'TIDENET_INGRESS_ACME_PROFILE', type: z.string().default('') },
      roots: { from: 'TIDENET_INGRESS_ACME_ROOTS', type: z.string().default('') },
      issuers: { from: 'TIDENET_INGRESS_CAA', type: listOf(isHostName, 'names of CAs such as letsencrypt.org') },
      dns: { from: 'TIDENET_INGRESS_DNS', type: listening },
      nameservers: {
        from: 'TIDENET_INGRESS_NAMESERVERS',
        type: listOf(isHostName, 'host names such as ns1.example.com'),
      },
      zone: { from: 'TIDENET_INGRESS_ZONE', type: z.string().default(domain) },
      resolvers: {
        from: 'TIDENET_INGRESS_RESOLVERS',
        type: listOf((text) => isAddress(text.replace(/:\d+$/, '')), 'IP addresses of DNS servers'),
      },
    },
    env,
  )
  const { directory = '', dns, nameservers, zone } = given
  if (zone !== domain && zone !== `_acme-challenge.${domain}`)
    throw new StartError(`TIDENET_INGRESS_ZONE=${zone}: expected ${domain} or _acme-challenge.${domain}.`)
  if (dns && nameservers.length === 0)
    throw new StartError('TIDENET_INGRESS_DNS needs TIDENET_INGRESS_NAMESERVERS, the names of the delegation.')
  if (addresses.length === 0 && (directory || (dns && zone === domain)))
    throw new StartError(
      'TIDENET_INGRESS_ACME and TIDENET_INGRESS_DNS need TIDENET_INGRESS_ADDRESSES, the public IP addresses of the ingress.',
    )
  return { ...given, directory }
}
