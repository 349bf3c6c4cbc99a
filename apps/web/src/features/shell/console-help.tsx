import { Link } from '@tanstack/react-router'
import { BookOpen, LifeBuoy, MessageSquareText } from 'lucide-react'
import { query, useQuery } from '../../lib/queries.ts'
import { lang, t as shell } from '../../lib/texts.ts'
import { OperatorLink, SocialLinks } from '../feedback/operator-links.tsx'
import { openSupport } from '../feedback/support.ts'
import { t } from './console-texts.ts'
import { menuLinkClass } from './menu-links.tsx'

/** Docs, support, feedback form and the operator's social links. */
export function HelpMenu({ onLeave }: { onLeave?: () => void }) {
  const { data } = useQuery({ ...query('portal.settings', {}), staleTime: Number.POSITIVE_INFINITY })
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
      {data && (
        <SocialLinks
          social={data.social}
          className="mt-1 flex flex-wrap gap-x-3 px-3"
          linkClass="inline-flex min-h-7 items-center text-sm text-muted hover:text-text hover:underline"
          onLeave={onLeave}
        />
      )}
    </div>
  )
}
