import type { contract, Output } from '@tidenet/contract'
import type { Config } from '../config.ts'

type Settings = Output<typeof contract.portal.settings>

/** What the portal is told of its operator; what is not set leads to a page of the portal that says so. */
export function portalSettings({ links, outboundHosts, servicesHost }: Config): Settings {
  const { edgeSignup, storeCn, storeEn, feedbackCn, feedbackEn, ...social } = links
  return {
    edge_signup_url: edgeSignup || '/login?mode=signup',
    extension_store_urls: { cn: storeCn || '/download#extension', en: storeEn || '/download#extension' },
    social: Object.fromEntries(Object.entries(social).filter(([, url]) => url !== '')),
    feedback_urls: { cn: feedbackCn || '/about?lang=zh#feedback', en: feedbackEn || '/about?lang=en#feedback' },
    outbound_hosts: [...outboundHosts],
    services_host: servicesHost,
  }
}
