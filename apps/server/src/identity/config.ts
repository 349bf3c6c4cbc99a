import { CODES_PER_NETWORK_DAY, WRONG_PASSWORDS_PER_NETWORK_HOUR } from '@tidenet/contract'
import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../platform/config.ts'
import { readProviders, type SignInProvider } from './external-sign-in/providers.ts'

export interface IdentityConfig {
  /** Verification codes per client network in 24 hours. */
  codesPerNetwork: number
  /** Wrong passwords per client network in an hour, for all accounts together. */
  wrongPasswordsPerNetwork: number
  /** Webhooks may have private addresses and http, for development. */
  privateWebhooks: boolean
  /** Services for external sign-in. */
  signInProviders: readonly SignInProvider[]
  /** Bech32 prefix of wallet addresses. */
  chainPrefix: string
}

/** @throws StartError that names the invalid settings */
export function readIdentityConfig(
  env: Env,
  { smtpUrl, environment }: PlatformConfig,
): Omit<IdentityConfig, 'chainPrefix'> {
  const limit = z.coerce.number().int().min(1)
  // Without SMTP (development), no e-mail is sent and all users have the same address.
  const { privateWebhooks, ...limits } = readConfig(
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
    },
    env,
  )
  return {
    ...limits,
    privateWebhooks: privateWebhooks === 'yes',
    signInProviders: readProviders(env.TIDENET_SIGN_IN_PROVIDERS?.trim() ?? '', env),
  }
}
