import { readConfig } from '@tidenet/daemon'
import { z } from 'zod'
import { type Env, host, siteUrl } from '../platform/config.ts'

export interface PortalConfig {
  /** Hosts that the portal links to without a warning. */
  outboundHosts: readonly string[]
  /** Links outside the portal; empty if not configured. */
  links: Readonly<Record<keyof typeof LINKS, string>>
  /** The address of the S3 gateways, without a trailing slash; empty: none. */
  s3Url: string
  /** Folder of the single executables; empty: where `npm run executables` writes them. */
  executables: string
}

/** Optional links and their environment variables. */
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

/** @throws ConfigError naming every variable that is wrong */
export function readPortalConfig(env: Env): PortalConfig {
  const { outboundHosts, executables, s3Url, ...links } = readConfig(
    {
      executables: { from: 'TIDENET_EXECUTABLES', type: z.string().default('') },
      s3Url: { from: 'TIDENET_S3_URL', type: siteUrl },
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
      ...linkFields(),
    },
    env,
  )
  return { outboundHosts, executables, s3Url: s3Url.replace(/\/$/, ''), links }
}

const linkFields = () =>
  Object.fromEntries(Object.entries(LINKS).map(([name, from]) => [name, { from, type: siteUrl }])) as Record<
    keyof typeof LINKS,
    { from: string; type: typeof siteUrl }
  >
