import { Link } from '@tanstack/react-router'
import { BookOpen, LifeBuoy, MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import { linkTo } from '../../lib/link.ts'
import { query, useQuery } from '../../lib/queries.ts'
import { lang, t as shell } from '../../lib/texts.ts'
import { openSupport } from '../feedback/support.ts'
import { t } from './console-texts.ts'
import { menuLinkClass } from './menu-links.tsx'

const names = ['chat', 'x', 'telegram', 'blog', 'hub', 'discussions'] as const

/** Where help is: the docs, people, a form in this language, and what the operator has opened elsewhere. */
export function HelpMenu({ onLeave }: { onLeave?: () => void }) {
  const { data } = useQuery({ ...query('portal.settings', {}), staleTime: Number.POSITIVE_INFINITY })
  const social = names.flatMap((name) => {
    const url = data?.social[name]
    return url ? [{ name, url }] : []
  })
  return (
    <div className="flex flex-col gap-0.5">
      <Link to="/developer" className={menuLinkClass} onClick={onLeave}>
        <BookOpen aria-hidden className="size-4.5" />
        {shell.menus.docs}
      </Link>
      <button
        type="button"
        className={menuLinkClass}
        onClick={() => {
          onLeave?.()
          openSupport('support')
        }}
      >
        <LifeBuoy aria-hidden className="size-4.5" />
        {t.support}
      </button>
      <OperatorLink url={data?.feedback_urls[lang] ?? '/about#feedback'} className={menuLinkClass} onClick={onLeave}>
        <MessageSquareText aria-hidden className="size-4.5" />
        {t.feedback}
      </OperatorLink>
      {social.length > 0 && (
        <ul aria-label={t.elsewhere} className="mt-1 flex flex-wrap gap-x-3 px-3">
          {social.map(({ name, url }) => (
            <li key={name}>
              <OperatorLink
                url={url}
                className="inline-flex min-h-7 items-center text-sm text-muted hover:text-text hover:underline"
                onClick={onLeave}
              >
                {t.social[name]}
              </OperatorLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** An address that the operator has set: a page of ours, or another site, which one leaves through /redirect. */
function OperatorLink({
  url,
  className,
  onClick,
  children,
}: {
  url: string
  className: string
  onClick: (() => void) | undefined
  children: ReactNode
}) {
  const target = url.startsWith('/') ? linkTo(url) : { to: '/redirect', search: { url } }
  return (
    <Link {...target} className={className} onClick={onClick} activeProps={{ 'aria-current': undefined }}>
      {children}
    </Link>
  )
}
