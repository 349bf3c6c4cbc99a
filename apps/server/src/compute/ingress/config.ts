import { readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../../platform/config.ts'
import { isAddress, listOf } from '../../platform/lists.ts'
import { type AcmeConfig, NO_ACME, readAcmeConfig } from './acme-config.ts'

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
  /** Ports that programs can have for TCP; undefined: none. */
  tcpPorts: { from: number; to: number } | undefined
  acme: AcmeConfig
}

/** Programs must not get ports of the system, and the server looks at all of them every few seconds. */
const TCP_PORTS = { least: 1024, most: 2000 }
const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'expected two ports such as 20000-20099')
  .transform((text, context) => {
    const [from = 0, to = 0] = text.split('-').map(Number)
    if (from < TCP_PORTS.least || to > 65_535 || to < from || to - from >= TCP_PORTS.most)
      context.addIssue({
        code: 'custom',
        message: `expected at most ${TCP_PORTS.most} ports from ${TCP_PORTS.least} to 65535, the lower one first`,
      })
    return { from, to }
  })
  .optional()

/** @throws ConfigError naming every variable that is wrong */
export function readIngressConfig(
  env: Env,
  { host, publicUrl, port: apiPort }: Pick<PlatformConfig, 'host' | 'publicUrl' | 'port'>,
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
      tcpPorts: { from: 'TIDENET_INGRESS_TCP_PORTS', type: portRange },
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
  const httpPort = given.httpPort ?? (acme.directory ? 80 : undefined)
  const { tcpPorts } = given
  if (tcpPorts && given.url === '')
    throw new StartError('TIDENET_INGRESS_TCP_PORTS needs TIDENET_INGRESS_URL, such as https://apps.example.com.')
  for (const own of [port, httpPort, acme.dns?.port, apiPort])
    if (tcpPorts && own !== undefined && own >= tcpPorts.from && own <= tcpPorts.to)
      throw new StartError(
        `TIDENET_INGRESS_TCP_PORTS=${tcpPorts.from}-${tcpPorts.to}: port ${own} is our own. Choose a range without it.`,
      )
  return { ...given, port, acme, httpPort }
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
  tcpPorts: undefined,
  acme: NO_ACME,
}
