import { readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../../platform/config.ts'
import { type AcmeConfig, isAddress, listOf, NO_ACME, readAcmeConfig } from './acme-config.ts'

/** Settings of the ingress, through which visitors reach programs in workspaces. */
export interface IngressConfig {
  /**
   * The public address of all programs, such as `https://apps.example.com`: a program is at `https://<program>-<workspace>.apps.example.com`.
   * Empty: programs have no addresses.
   */
  url: string
  host: string
  port: number
  /** Paths of certificate chain and key in PEM; empty, and without ACME: plain HTTP, for one machine or behind a proxy that ends TLS. */
  cert: string
  key: string
  /** Port for plain HTTP beside HTTPS: answers for a CA, and redirects. Undefined: none. */
  httpPort: number | undefined
  /** Public IP addresses of the ingress: what our name server answers, and what domains of customers must have. */
  addresses: readonly string[]
  acme: AcmeConfig
}

/** @throws ConfigError naming every variable that is wrong */
export function readIngressConfig(
  env: Env,
  { host, publicUrl }: Pick<PlatformConfig, 'host' | 'publicUrl'>,
): IngressConfig {
  const given = readConfig(
    {
      url: {
        from: 'TIDENET_INGRESS_URL',
        type: z
          .string()
          .regex(
            /^https?:\/\/[a-z\d-]+(\.[a-z\d-]+)*(:\d{1,5})?$/,
            'expected an address such as https://apps.example.com',
          )
          .or(z.literal(''))
          .default(''),
      },
      host: { from: 'TIDENET_INGRESS_HOST', type: z.string().default(host) },
      port: { from: 'TIDENET_INGRESS_PORT', type: z.coerce.number().int().min(0).max(65_535).optional() },
      cert: { from: 'TIDENET_INGRESS_CERT', type: z.string().default('') },
      key: { from: 'TIDENET_INGRESS_KEY', type: z.string().default('') },
      httpPort: { from: 'TIDENET_INGRESS_HTTP_PORT', type: z.coerce.number().int().min(0).max(65_535).optional() },
      addresses: { from: 'TIDENET_INGRESS_ADDRESSES', type: listOf(isAddress, 'IP addresses') },
    },
    env,
  )
  if ((given.cert === '') !== (given.key === ''))
    throw new StartError('TIDENET_INGRESS_CERT and TIDENET_INGRESS_KEY belong together: set both or none.')
  const domain = given.url && new URL(given.url).hostname
  const portal = publicUrl && new URL(publicUrl).hostname
  // A page of a tenant below the portal's own name could set cookies for it, and would look like a part of it.
  if (domain && portal && `.${portal}`.endsWith(`.${domain}`) && portal !== 'localhost')
    throw new StartError(
      `TIDENET_INGRESS_URL=${given.url}: programs of strangers need a domain of their own; the portal's name must not be below it.`,
    )
  const acme = readAcmeConfig(env, { domain, addresses: given.addresses })
  if (acme.directory !== '' && !given.url.startsWith('https:'))
    throw new StartError('TIDENET_INGRESS_ACME needs a TIDENET_INGRESS_URL that begins with https://.')
  const port = given.port ?? Number(given.url && (new URL(given.url).port || 443))
  return { ...given, port, acme, httpPort: given.httpPort ?? (acme.directory ? 80 : undefined) }
}

/** No addresses; also the starting point of tests. */
export const NO_INGRESS: IngressConfig = {
  url: '',
  host: '127.0.0.1',
  port: 0,
  cert: '',
  key: '',
  httpPort: undefined,
  addresses: [],
  acme: NO_ACME,
}
