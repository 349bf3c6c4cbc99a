import { CODES_PER_NETWORK_DAY, WRONG_PASSWORDS_PER_NETWORK_HOUR } from '@tidenet/contract'
import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../platform/config.ts'
import { readProviders, type SignInProvider } from './external-sign-in/providers.ts'

export interface IdentityConfig {
  /** Codes that one network, an IPv4 address or a /64 of IPv6, gets in 24 hours. */
  codesPerNetwork: number
  /** Wrong passwords that one network may send in an hour, for whichever accounts. */
  wrongPasswordsPerNetwork: number
  /** Other services that people may sign in by. */
  signInProviders: readonly SignInProvider[]
  /** What addresses of wallets begin with. */
  chainPrefix: string
}

/** @throws StartError naming what is wrong */
export function readIdentityConfig(env: Env, { smtpUrl }: PlatformConfig): Omit<IdentityConfig, 'chainPrefix'> {
  const limit = z.coerce.number().int().min(1)
  // Without SMTP no mail goes to anybody, and whoever tries the portal comes from one address.
  const limits = readConfig(
    {
      codesPerNetwork: {
        from: 'TIDENET_CODES_PER_NETWORK',
        type: limit.default(smtpUrl === '' ? 1000 : CODES_PER_NETWORK_DAY),
      },
      wrongPasswordsPerNetwork: {
        from: 'TIDENET_WRONG_PASSWORDS_PER_NETWORK',
        type: limit.default(smtpUrl === '' ? 1000 : WRONG_PASSWORDS_PER_NETWORK_HOUR),
      },
    },
    env,
  )
  return { ...limits, signInProviders: readProviders(env.TIDENET_SIGN_IN_PROVIDERS?.trim() ?? '', env) }
}
