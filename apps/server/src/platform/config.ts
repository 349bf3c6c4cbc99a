import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, port, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'

/** The variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>

/** `dns` and `certs` do nothing without a zone for nodes (`TIDENET_ZONE`). */
const ROLES = ['api', 'scheduler', 'jobs', 'ingress', 'dns', 'certs'] as const
/** The ingress moves the bytes of visitors, so it is a process of its own. */
const USUAL_ROLES = ROLES.filter((role) => role !== 'ingress')

/** Settings from the environment, read once. Each domain's `config.ts` adds its own. */
export interface PlatformConfig {
  environment: 'development' | 'test' | 'production'
  /** `quick`: tasks run several times as often, and query results are not cached. */
  pace: Pace
  host: string
  port: number
  data: string
  databaseUrl: string
  /** The portal's public URL; empty: the server's own address. */
  publicUrl: string
  /** The host that serves the services variant of the portal; empty: none. */
  servicesHost: string
  roles: readonly (typeof ROLES)[number][]
  /** 32 bytes; all keys of the server are derived from it. */
  secret: Buffer
  smtpUrl: string
  mailFrom: string
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  trustProxy: string
  logLevel: string
}

export type Pace = 'usual' | 'quick'

/** `services.example.org`, optionally with a port. */
export const host = z.string().regex(/^[a-z\d.-]+(:\d+)?$/, 'expected a host such as services.example.org')

/** An http(s) URL, or empty. */
export const siteUrl = z
  .url({ protocol: /^https?$/, error: 'expected an address' })
  .or(z.literal(''))
  .default('')

/** @throws ConfigError that names every invalid variable */
export function readPlatformConfig(env: Env): PlatformConfig {
  const given = readConfig(
    {
      environment: { from: 'TIDENET_ENV', type: z.enum(['development', 'test', 'production']).default('development') },
      pace: { from: 'TIDENET_PACE', type: z.enum(['usual', 'quick']).optional() },
      host: { from: 'TIDENET_HOST', type: z.string().default('127.0.0.1') },
      port: { from: 'TIDENET_PORT', type: port(8080) },
      data: { from: 'TIDENET_DATA', type: z.string().default('.tidenet') },
      databaseUrl: {
        from: 'DATABASE_URL',
        type: z
          .string({ error: 'is needed: the address of a PostgreSQL database' })
          .regex(/^postgres(ql)?:\/\//, 'expected postgresql://…'),
      },
      publicUrl: { from: 'TIDENET_PUBLIC_URL', type: siteUrl },
      servicesHost: { from: 'TIDENET_SERVICES_HOST', type: host.or(z.literal('')).default('') },
      roles: {
        from: 'TIDENET_ROLES',
        type: z.preprocess((text) => String(text ?? USUAL_ROLES.join(',')).split(','), z.array(z.enum(ROLES)).min(1)),
      },
      secret: {
        from: 'TIDENET_SECRET',
        type: z
          .string()
          .regex(/^[0-9a-f]{64}$/i, 'expected 64 hex digits')
          .optional(),
      },
      smtpUrl: {
        from: 'SMTP_URL',
        type: z
          .string()
          .regex(/^smtps?:\/\//, 'expected smtp://…')
          .default(''),
      },
      mailFrom: { from: 'MAIL_FROM', type: z.string().default('Tidenet <no-reply@localhost>') },
      trustProxy: { from: 'TIDENET_TRUST_PROXY', type: z.string().default('') },
      logLevel: {
        from: 'TIDENET_LOG_LEVEL',
        type: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
      },
    },
    env,
  )
  if (given.environment === 'production' && given.smtpUrl === '')
    throw new ConfigError(['  SMTP_URL is needed in production: codes go out by mail.'])
  return {
    ...given,
    pace: given.pace ?? (given.environment === 'test' ? 'quick' : 'usual'),
    data: resolve(given.data),
    publicUrl: given.publicUrl.replace(/\/$/, ''),
    secret: given.secret
      ? Buffer.from(given.secret, 'hex')
      : Buffer.from(storedSecret(resolve(given.data), 'server.key'), 'hex'),
  }
}

/**
 * Created at the first start, readable by its owner only.
 * @returns 64 hex digits
 */
export function storedSecret(data: string, name: string): string {
  const folder = join(data, 'secrets')
  const file = join(folder, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // `wx`: if two servers start at once, one writes and both read.
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new StartError(`The secret cannot be written to ${file}: ${(error as Error).message}`)
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/i.test(secret))
    throw new StartError(
      `${file} does not hold 64 hex digits. Restore it from a backup: what was made with it ends with a new one.`,
    )
  return secret
}
