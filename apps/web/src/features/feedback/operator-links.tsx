import { Link } from '@tanstack/react-router'
import type { Output, RouteOf } from '@tidenet/contract'
import type { ReactNode } from 'react'
import { linkTo } from '../../lib/link.ts'
import { t } from './social-texts.ts'

const names = ['chat', 'x', 'telegram', 'blog', 'hub', 'discussions'] as const

interface LinkProps {
  className: string
  onClick?: (() => void) | undefined
}

/** A link to an address that the operator configured: a page of the portal, or another site through /redirect. */
export function OperatorLink({ url, className, onClick, children }: LinkProps & { url: string; children: ReactNode }) {
  const target = url.startsWith('/') ? linkTo(url) : { to: '/redirect', search: { url } }
  return (
    <Link {...target} className={className} onClick={onClick} activeProps={{ 'aria-current': undefined }}>
      {children}
    </Link>
  )
}

/** Links to the operator's social accounts; nothing if there are none. */
export function SocialLinks({
  social,
  className,
  linkClass,
  onLeave,
}: {
  social: Output<RouteOf<'portal.settings'>>['social']
  className: string
  linkClass: string
  onLeave?: (() => void) | undefined
}) {
  const links = names.flatMap((name) => {
    const url = social[name]
    return url ? [{ name, url }] : []
  })
  if (links.length === 0) return null
  return (
    <ul aria-label={t.label} className={className}>
      {links.map(({ name, url }) => (
        <li key={name}>
          <OperatorLink url={url} className={linkClass} onClick={onLeave}>
            {t[name]}
          </OperatorLink>
        </li>
      ))}
    </ul>
  )
}
