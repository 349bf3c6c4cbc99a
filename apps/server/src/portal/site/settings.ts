import type { contract, Output } from '@tidenet/contract'
import { readUrl } from '../../platform/read-url.ts'
import type { Context } from '../context.ts'

type Settings = Output<typeof contract.portal.settings>

/** The portal's settings. Links that are not configured lead to a page of the portal that explains it. */
export function portalSettings({
  links,
  outboundHosts,
  servicesHost,
  s3Url,
  ipfsUrl,
  chain,
  signInProviders,
}: Context['config']): Settings {
  const { edgeSignup, storeCn, storeEn, feedbackCn, feedbackEn, testnet3: _, ...social } = links
  return {
    edge_signup_url: edgeSignup || '/login?mode=signup',
    extension_store_urls: { cn: storeCn || '/download#extension', en: storeEn || '/download#extension' },
    social: Object.fromEntries(Object.entries(social).filter(([, url]) => url !== '')),
    feedback_urls: { cn: feedbackCn || '/about?lang=zh#feedback', en: feedbackEn || '/about?lang=en#feedback' },
    // Hosts of configured links need not be listed again.
    outbound_hosts: [
      ...new Set([...outboundHosts, ...Object.values(links).flatMap((url) => readUrl(url)?.host ?? [])]),
    ],
    services_host: servicesHost,
    s3_url: s3Url,
    ipfs_url: ipfsUrl,
    chain: { id: chain.id, prefix: chain.prefix },
    sign_in_providers: signInProviders.map(({ id, name }) => ({ id, name })),
  }
}
