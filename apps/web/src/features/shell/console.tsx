import { Link, Outlet } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { linkTo } from '../../lib/link.ts'
import { useSession } from '../../lib/session-store.ts'
import { actingTeam } from '../../lib/team.ts'
import { SupportButton } from '../feedback/support-button.tsx'
import { PaletteTrigger } from '../files/palette-trigger.tsx'
import { AccountMenu } from './account-menu.tsx'
import { HelpMenu } from './console-help.tsx'
import { usePlan } from './console-plan.ts'
import { t } from './console-texts.ts'
import { CookieNotice } from './cookie-notice.tsx'
import { Header } from './header.tsx'
import { consoleMenus, menuLinkClass } from './menu-links.tsx'
import { useConsoleDrop } from './use-console-drop.ts'

const consolePages = () => consoleMenus().flatMap(({ links }) => links)

const ActingBanner = lazy(async () => ({ default: (await import('../teams/acting-banner.tsx')).ActingBanner }))
const ClosingBanner = lazy(async () => ({ default: (await import('../account/closing-banner.tsx')).ClosingBanner }))
const ConsoleDrop = lazy(async () => ({ default: (await import('./console-drop.tsx')).ConsoleDrop }))

/** Layout of pages that need an account. */
export function ConsolePage({ children = <Outlet /> }: { children?: ReactNode }) {
  usePlan()
  const over = useConsoleDrop()
  const team = import.meta.env.SSR ? undefined : actingTeam()
  const closingAt = useSession((session) => session.userinfo?.closing_at)
  return (
    <div data-console={import.meta.env.SSR || undefined} className="flex min-h-dvh flex-col">
      <Header wide account={<AccountMenu />} />
      <div className="flex w-full flex-1">
        <aside className="sticky top-15 hidden h-[calc(100dvh-3.75rem)] w-60 shrink-0 flex-col overflow-y-auto border-r border-line px-3 py-5 lg:flex">
          <PaletteTrigger label={t.palette} pages={consolePages} />
          <nav aria-label={t.consoleMenu} className="flex flex-1 flex-col gap-5">
            {consoleMenus().map(({ title, links }) => (
              <div key={title} className="flex flex-col gap-0.5">
                <p className="px-3 pb-1.5 text-xs font-medium text-muted">{title}</p>
                {links.map(({ href, icon: Icon, title }) => (
                  <Link
                    key={href}
                    {...linkTo(href)}
                    className={menuLinkClass}
                    activeOptions={{ includeSearch: href.includes('?'), exact: false }}
                    // A link to the current page scrolls to the top.
                    onClick={(event) => event.currentTarget.ariaCurrent && window.scrollTo(0, 0)}
                  >
                    <Icon aria-hidden className="size-4.5" />
                    {title}
                  </Link>
                ))}
              </div>
            ))}
          </nav>
          <div className="mt-5 border-t border-line pt-3">
            <HelpMenu />
          </div>
        </aside>
        <main
          id="content"
          tabIndex={-1}
          className="min-w-0 flex-1 px-4 pt-6 pb-[calc(9rem+var(--upload-panel-height,0px))] outline-none sm:px-6 lg:pt-8 lg:pr-20 lg:pl-8"
        >
          {team && (
            <Suspense>
              <ActingBanner team={team} />
            </Suspense>
          )}
          {closingAt && (
            <Suspense>
              <ClosingBanner at={closingAt} />
            </Suspense>
          )}
          {children}
        </main>
      </div>
      {over && (
        <Suspense>
          <ConsoleDrop />
        </Suspense>
      )}
      <SupportButton />
      <CookieNotice />
    </div>
  )
}
