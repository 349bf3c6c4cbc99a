import { THIRD_PARTY_HOURS, THIRD_PARTY_KINDS } from '@tidenet/contract'
import { ConfigError, readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import type { Env, PlatformConfig } from '../../platform/config.ts'

const address = z
  .url({ protocol: /^https?$/, error: 'expected an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''))
const secret = z.string().regex(/^[\x21-\x7e]*$/, 'expected a token without spaces')

const provider = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('kubo'),
    name: z.string().regex(/^[\w.-]{1,40}$/),
    /** Of the RPC, without `/api/v0`. */
    url: address,
    token: secret.default(''),
  }),
  z.strictObject({
    kind: z.literal('pinning'),
    name: z.string().regex(/^[\w.-]{1,40}$/),
    /** Of the service, without `/pins`. */
    url: address,
    token: secret.default(''),
    /** A trustless gateway from which what it stores can be read. */
    gateway: address,
    /** Multiaddresses from which it can fetch; default: those of the configured Kubo nodes. */
    origins: z
      .array(z.string().regex(/^\/\S+$/))
      .max(20)
      .default([]),
  }),
  z.strictObject({
    kind: z.literal('simulation'),
    name: z
      .string()
      .regex(/^[\w.-]{1,40}$/)
      .default('simulation'),
  }),
])
export type ProviderSetting = z.infer<typeof provider>

export interface ThirdPartyConfig {
  /** In the order in which they get replicas. */
  providers: readonly ProviderSetting[]
  /** How long a replica usually takes, in hours; the simulation takes as long. */
  hours: number
}

export const NO_THIRD_PARTY: ThirdPartyConfig = { providers: [], hours: THIRD_PARTY_HOURS }
/** In development, a simulated replica takes three minutes instead of 48 hours. */
const DEVELOPMENT_HOURS = 0.05

/**
 * In production there is no provider by default: a simulation stores nothing.
 * @throws ConfigError naming every variable that is wrong
 */
export function readThirdPartyConfig(env: Env, environment: PlatformConfig['environment']): ThirdPartyConfig {
  const development = environment === 'development'
  const { list, hours } = readConfig(
    {
      list: { from: 'TIDENET_THIRD_PARTY', type: z.string().default(development ? '[{"kind":"simulation"}]' : '[]') },
      hours: {
        from: 'TIDENET_THIRD_PARTY_HOURS',
        type: z.coerce
          .number()
          .positive()
          .max(10_000)
          .default(development ? DEVELOPMENT_HOURS : THIRD_PARTY_HOURS),
      },
    },
    env,
  )
  const wrong = (why: string): never => {
    throw new ConfigError([
      `  TIDENET_THIRD_PARTY: ${why}; expected a JSON list such as [{"kind":"kubo","name":"kubo-1","url":"http://127.0.0.1:5001"}] with kinds ${THIRD_PARTY_KINDS.join(', ')}`,
    ])
  }
  let json: unknown
  try {
    json = JSON.parse(list)
  } catch {
    return wrong('it is not JSON')
  }
  const parsed = z.array(provider).max(20).safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return wrong(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  const names = parsed.data.map(({ name }) => name)
  if (new Set(names).size < names.length) return wrong('two providers have the same name')
  return { providers: parsed.data, hours }
}
