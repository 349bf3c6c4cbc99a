import { CODES_PER_NETWORK_DAY, WRONG_PASSWORDS_PER_NETWORK_HOUR } from '@tidenet/contract'
import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import { type Env, type PlatformConfig, storedSecret } from '../platform/config.ts'
import { readProviders, type SignInProvider } from './external-sign-in/providers.ts'

/** In the folder of secrets of the data folder. */
const GATEWAY_SECRET_FILE = 's3-gateway.key'

export interface IdentityConfig {
  /** Verification codes per client network in 24 hours. */
  codesPerNetwork: number
  /** Wrong passwords per client network in an hour, for all accounts together. */
  wrongPasswordsPerNetwork: number
  /** Webhooks may have private addresses and http, for development. */
  privateWebhooks: boolean
  /** What the operator's S3 gateways authenticate with; empty: they are refused. */
  s3GatewaySecret: string
  /** Services for external sign-in. */
  signInProviders: readonly SignInProvider[]
  /** Bech32 prefix of wallet addresses. */
  chainPrefix: string
}

/** @throws StartError that names the invalid settings */
export function readIdentityConfig(
  env: Env,
  { smtpUrl, environment, data }: PlatformConfig,
): Omit<IdentityConfig, 'chainPrefix'> {
  const limit = z.coerce.number().int().min(1)
  // Without SMTP (development), no e-mail is sent and all users have the same address.
  const { privateWebhooks, s3GatewaySecret, ...limits } = readConfig(
    {
      codesPerNetwork: {
        from: 'TIDENET_CODES_PER_NETWORK',
        type: limit.default(smtpUrl === '' ? 1000 : CODES_PER_NETWORK_DAY),
      },
      wrongPasswordsPerNetwork: {
        from: 'TIDENET_WRONG_PASSWORDS_PER_NETWORK',
        type: limit.default(smtpUrl === '' ? 1000 : WRONG_PASSWORDS_PER_NETWORK_HOUR),
      },
      privateWebhooks: {
        from: 'TIDENET_PRIVATE_WEBHOOKS',
        type: z.enum(['yes', 'no']).default(environment === 'production' ? 'no' : 'yes'),
      },
      s3GatewaySecret: {
        from: 'TIDENET_S3_GATEWAY_SECRET',
        type: z
          .string()
          .regex(/^[\x21-\x7e]{32,}$/, 'expected at least 32 characters, such as 64 hex digits')
          .optional(),
      },
    },
    env,
  )
  return {
    ...limits,
    privateWebhooks: privateWebhooks === 'yes',
    // A server that is given its secrets makes none.
    s3GatewaySecret: s3GatewaySecret ?? (env.TIDENET_SECRET ? '' : storedSecret(data, GATEWAY_SECRET_FILE)),
    signInProviders: readProviders(env.TIDENET_SIGN_IN_PROVIDERS?.trim() ?? '', env),
  }
}
