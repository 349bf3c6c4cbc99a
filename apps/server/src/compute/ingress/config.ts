import { readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../../platform/config.ts'

/** Settings of the ingress, through which visitors reach programs in workspaces. */
export interface IngressConfig {
  /**
   * The public address of all programs, such as `https://apps.example.com`: a program is at `https://<program>-<workspace>.apps.example.com`.
   * Empty: programs have no addresses.
   */
  url: string
  host: string
  port: number
  /** Paths of certificate chain and key in PEM; empty: plain HTTP, for one machine or behind a proxy that ends TLS. */
  cert: string
  key: string
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
  return { ...given, port: given.port ?? Number(given.url && (new URL(given.url).port || 443)) }
}

/** No addresses; also the starting point of tests. */
export const NO_INGRESS: IngressConfig = { url: '', host: '127.0.0.1', port: 0, cert: '', key: '' }
