import type { Output, RouteOf } from '@tidenet/contract'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { SocialLinks } from '../feedback/operator-links.tsx'

/** The operator's social links. Does not use the query client, so that most public pages need not load it. */
export function FooterSocial() {
  const [social, setSocial] = useState<Output<RouteOf<'portal.settings'>>['social']>({})
  useEffect(() => {
    const controller = new AbortController()
    api('portal.settings', {}, { signal: controller.signal }).then(
      (settings) => setSocial(settings.social),
      () => {},
    )
    return () => controller.abort()
  }, [])
  return (
    <SocialLinks
      social={social}
      className="mx-auto flex max-w-6xl flex-wrap gap-x-6 gap-y-1 px-5 pb-8 text-sm sm:px-8"
      linkClass="inline-flex min-h-7 items-center text-muted hover:text-text hover:underline"
    />
  )
}
