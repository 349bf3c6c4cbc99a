import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CODES_PER_IP_DAY, TESTNET_FACTOR, WRONG_PASSWORDS_PER_NETWORK_HOUR } from '@tidenet/contract'
import { port, readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import { type ClustersConfig, readClustersConfig } from './compute/clusters/config.ts'
import { readProviders, type SignInProvider } from './identity/identities/providers.ts'
import { type ChainConfig, readChainConfig } from './payments/chain/config.ts'

const ROLES = ['api', 'scheduler', 'jobs'] as const
export type Role = (typeof ROLES)[number]

/** Everything the server is told from outside, read once. */
export interface Config {
  environment: 'development' | 'test' | 'production'
  host: string
  port: number
  data: string
  databaseUrl: string
  /** Where people reach the portal; empty: the server's own address. */
  publicUrl: string
  roles: readonly Role[]
  /** 32 bytes from which every key of the server is derived. */
  secret: Buffer
  /** What candidates and validators show at registration; empty: they are refused. */
  joinToken: string
  smtpUrl: string
  mailFrom: string
  /** Codes that one network, an IPv4 address or a /64 of IPv6, gets in 24 hours. */
  codesPerNetwork: number
  /** Wrong passwords that one network may send in an hour, for whichever accounts. */
  wrongPasswordsPerNetwork: number
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustProxy: string
  logLevel: string
  /** Nodes may live at private addresses (development, or a network of one's own). */
  privateNodes: boolean
  /** Who gets what people write through the portal; empty: it is only stored. */
  operatorMail: string
  /** The host on which the portal is its services variant; empty: none. */
  servicesHost: string
  /** The chain that wallets are used on: what its addresses begin with, and its id. */
  chainPrefix: string
  chainId: string
  /** The chain that the network pays on, and what it gives away there. */
  chain: ChainConfig
  /** Share of the tariff that orders cost: below 1 on a test network. */
  priceFactor: number
  /** What sells containers. */
  clusters: ClustersConfig
  /** Other services that people may sign in by. */
  signInProviders: readonly SignInProvider[]
  /** Sites that the portal leads to without asking. */
  outboundHosts: readonly string[]
  /** Addresses outside the portal; empty where the operator has none. */
  links: Readonly<Record<keyof typeof LINKS, string>>
}

/** Addresses that an operator may have, and the variables that name them. */
const LINKS = {
  edgeSignup: 'TIDENET_EDGE_SIGNUP_URL',
  storeCn: 'TIDENET_EXTENSION_STORE_URL_CN',
  storeEn: 'TIDENET_EXTENSION_STORE_URL_EN',
  feedbackCn: 'TIDENET_FEEDBACK_URL_CN',
  feedbackEn: 'TIDENET_FEEDBACK_URL_EN',
  chat: 'TIDENET_CHAT_URL',
  x: 'TIDENET_X_URL',
  telegram: 'TIDENET_TELEGRAM_URL',
  blog: 'TIDENET_BLOG_URL',
  hub: 'TIDENET_HUB_URL',
  discussions: 'TIDENET_DISCUSSIONS_URL',
  testnet3: 'TIDENET_TESTNET3_URL',
} as const

export const NO_LINKS = Object.fromEntries(Object.keys(LINKS).map((name) => [name, ''])) as Config['links']

/** `services.example.org`, with a port if need be. */
const host = z.string().regex(/^[a-z\d.-]+(:\d+)?$/, 'expected a host such as services.example.org')

const url = (protocols: RegExp) => z.url({ protocol: protocols, error: 'expected an address' })

/** @throws StartError naming every variable that is wrong */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = readConfig(
    {
      environment: { from: 'TIDENET_ENV', type: z.enum(['development', 'test', 'production']).default('development') },
      host: { from: 'TIDENET_HOST', type: z.string().default('127.0.0.1') },
      port: { from: 'TIDENET_PORT', type: port(8080) },
      data: { from: 'TIDENET_DATA', type: z.string().default('.tidenet') },
      databaseUrl: {
        from: 'DATABASE_URL',
        type: z
          .string({ error: 'is needed: the address of a PostgreSQL database' })
          .regex(/^postgres(ql)?:\/\//, 'expected postgresql://…'),
      },
      publicUrl: {
        from: 'TIDENET_PUBLIC_URL',
        type: url(/^https?$/)
          .or(z.literal(''))
          .default(''),
      },
      roles: {
        from: 'TIDENET_ROLES',
        type: z.preprocess((text) => String(text ?? ROLES.join(',')).split(','), z.array(z.enum(ROLES)).min(1)),
      },
      secret: {
        from: 'TIDENET_SECRET',
        type: z
          .string()
          .regex(/^[0-9a-f]{64}$/i, 'expected 64 hex digits')
          .optional(),
      },
      joinToken: { from: 'TIDENET_JOIN_TOKEN', type: z.string().default('') },
      smtpUrl: {
        from: 'SMTP_URL',
        type: z
          .string()
          .regex(/^smtps?:\/\//, 'expected smtp://…')
          .optional(),
      },
      mailFrom: { from: 'MAIL_FROM', type: z.string().default('Tidenet <no-reply@localhost>') },
      codesPerNetwork: { from: 'TIDENET_CODES_PER_NETWORK', type: z.coerce.number().int().min(1).optional() },
      wrongPasswordsPerNetwork: {
        from: 'TIDENET_WRONG_PASSWORDS_PER_NETWORK',
        type: z.coerce.number().int().min(1).optional(),
      },
      trustProxy: { from: 'TIDENET_TRUST_PROXY', type: z.string().default('') },
      logLevel: {
        from: 'TIDENET_LOG_LEVEL',
        type: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
      },
      privateNodes: { from: 'TIDENET_PRIVATE_NODES', type: z.enum(['yes', 'no']).optional() },
      operatorMail: {
        from: 'TIDENET_OPERATOR_MAIL',
        type: z.email('expected an e-mail address').or(z.literal('')).default(''),
      },
      servicesHost: { from: 'TIDENET_SERVICES_HOST', type: host.or(z.literal('')).default('') },
      priceFactor: {
        from: 'TIDENET_PRICE_FACTOR',
        type: z.coerce.number().min(0.001).max(1000).default(TESTNET_FACTOR),
      },
      outboundHosts: {
        from: 'TIDENET_OUTBOUND_HOSTS',
        type: z.preprocess(
          (text) =>
            text
              ? String(text)
                  .split(',')
                  .map((each) => each.trim())
              : [],
          z.array(host),
        ),
      },
    },
    env,
  )
  const link = url(/^https?$/)
    .or(z.literal(''))
    .default('')
  const links = readConfig(
    Object.fromEntries(Object.entries(LINKS).map(([name, from]) => [name, { from, type: link }])),
    env,
  ) as Config['links']
  if (given.environment === 'production' && !given.smtpUrl)
    throw new StartError('In production SMTP_URL is needed: codes go out by mail.')
  const chain = readChainConfig(env, !given.smtpUrl)
  return {
    ...given,
    links,
    chain,
    clusters: readClustersConfig(env, given.environment),
    chainId: chain.id,
    chainPrefix: chain.prefix,
    signInProviders: readProviders(env.TIDENET_SIGN_IN_PROVIDERS?.trim() ?? '', env),
    data: resolve(given.data),
    publicUrl: given.publicUrl.replace(/\/$/, ''),
    secret: given.secret ? Buffer.from(given.secret, 'hex') : storedSecret(resolve(given.data)),
    smtpUrl: given.smtpUrl ?? '',
    // Without SMTP no mail goes to anybody, and whoever tries the portal comes from one address.
    codesPerNetwork: given.codesPerNetwork ?? (given.smtpUrl ? CODES_PER_IP_DAY : 1000),
    wrongPasswordsPerNetwork:
      given.wrongPasswordsPerNetwork ?? (given.smtpUrl ? WRONG_PASSWORDS_PER_NETWORK_HOUR : 1000),
    privateNodes: given.privateNodes ? given.privateNodes === 'yes' : given.environment !== 'production',
  }
}

/** Made at first start and kept for good, readable by its owner alone. */
function storedSecret(data: string): Buffer {
  const folder = join(data, 'secrets')
  const file = join(folder, 'server.key')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // `wx`: of two servers that start at once, one writes and both read.
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new StartError(`The secret cannot be written to ${file}: ${(error as Error).message}`)
  }
  const secret = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  if (secret.length !== 32)
    throw new StartError(`${file} does not hold 64 hex digits. Restore it from a backup; a new one ends all sessions.`)
  return secret
}
