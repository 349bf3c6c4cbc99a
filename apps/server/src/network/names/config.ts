import { addressAndPort, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env } from '../../platform/config.ts'

/** Settings for names and certificates of nodes. */
export interface NamesConfig {
  /** The DNS zone of nodes, such as `nodes.example.net`; empty: nodes have no names, and nothing of this runs. */
  zone: string
  /** `local`: a CA of this installation issues the certificates, for a network on one machine. */
  tls: 'local' | 'off'
  /** Where the name server of the zone listens. */
  dns: { host: string; port: number }
  /** Host names of the name servers, as in the delegation. */
  nameservers: readonly string[]
}

export const NO_NAMES: NamesConfig = { zone: '', tls: 'off', dns: { host: '127.0.0.1', port: 0 }, nameservers: [] }

const HOST = /^[a-z\d-]+(\.[a-z\d-]+)+$/
/** Browsers resolve names below `localhost` themselves. */
const LOCAL_ZONE = 'nodes.localhost'
const LOCAL_DNS_PORT = 8053

const listening = addressAndPort('an address and a port such as 0.0.0.0:53').optional()

/** @throws ConfigError naming every variable that is wrong; StartError if they do not fit together */
export function readNamesConfig(env: Env): NamesConfig {
  const given = readConfig(
    {
      tls: { from: 'TIDENET_TLS', type: z.enum(['local', 'off']).default('off') },
      zone: {
        from: 'TIDENET_ZONE',
        type: z.string().regex(HOST, 'expected a zone such as nodes.example.net').or(z.literal('')).optional(),
      },
      dns: { from: 'TIDENET_DNS', type: listening },
    },
    env,
  )
  const { tls } = given
  const zone = given.zone ?? (tls === 'local' ? LOCAL_ZONE : '')
  if (zone === '') return NO_NAMES
  if (tls === 'off') throw new StartError(`TIDENET_ZONE=${zone} needs TIDENET_TLS=local: no other CA is supported yet.`)
  const dns = given.dns ?? { host: '127.0.0.1', port: LOCAL_DNS_PORT }
  return { zone, tls, dns, nameservers: [`ns.${zone}`] }
}
