import { Link, Outlet } from '@tanstack/react-router'
import { t } from '../../lib/texts.ts'
import { Header } from './header.tsx'
import { consoleLinks, helpLinks, menuLinkClass } from './menu-links.tsx'

/** The frame of what belongs to an account. */
export function Console() {
  return (
    <div className="flex min-h-dvh flex-col">
      <Header wide />
      <div className="flex w-full flex-1">
        <aside className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] w-56 shrink-0 flex-col overflow-y-auto border-r border-line px-3 py-5 md:flex">
          <nav aria-label={t.shell.consoleMenu} className="flex flex-1 flex-col gap-0.5">
            <p className="px-3 pb-1.5 text-xs font-medium text-muted">{t.shell.storage}</p>
            {consoleLinks().map(({ to, icon: Icon, title }) => (
              <Link key={to} to={to} className={menuLinkClass}>
                <Icon aria-hidden className="size-4.5" />
                {title}
              </Link>
            ))}
          </nav>
          {helpLinks().map(({ to, icon: Icon, title }) => (
            <Link key={to} to={to} className={menuLinkClass}>
              <Icon aria-hidden className="size-4.5" />
              {title}
            </Link>
          ))}
        </aside>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-6 lg:px-8">
          <Outlet />
        </main>
      </div>
    </div>
  )
}
