import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../../platform/config.ts'

export interface ImportsConfig {
  /** Trustless gateways from which contents are imported by CID, in the order in which they are asked. */
  ipfsSources: readonly string[]
  /** Imports may connect to private addresses, for development. */
  privateToo: boolean
}

/** Most gateways: each is asked in turn. */
const SOURCES_MAX = 10

/** @throws ConfigError naming every variable that is wrong */
export function readImportsConfig(env: Env, environment: PlatformConfig['environment']): ImportsConfig {
  const { ipfsSources, privateToo } = readConfig(
    {
      ipfsSources: {
        from: 'TIDENET_IPFS_SOURCES',
        type: z
          .string()
          .default('')
          .transform((text) => text.split(/[\s,]+/).filter(Boolean))
          .pipe(
            z
              .array(
                z
                  .url({ protocol: /^https?$/, error: 'expected addresses such as https://gateway.example.org' })
                  .transform((url) => url.replace(/\/+$/, '')),
              )
              .max(SOURCES_MAX),
          ),
      },
      privateToo: {
        from: 'TIDENET_PRIVATE_IMPORTS',
        type: z.enum(['yes', 'no']).default(environment === 'production' ? 'no' : 'yes'),
      },
    },
    env,
  )
  return { ipfsSources, privateToo: privateToo === 'yes' }
}
