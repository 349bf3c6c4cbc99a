import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { shorten } from '../../lib/phrases.ts'
import { t as shell } from '../../lib/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { toast } from '../../ui/toast.ts'
import { LanguageMenu, ThemeMenu } from '../shell/preferences.tsx'
import { GuestBanner } from './guest.tsx'
import { leave, onConsoleChange, useConsole } from './session.ts'
import { t } from './texts.ts'

/** Layout of the container console. */
export function FramePage() {
  const navigate = useNavigate()
  const ended = useEffectEvent((why: 'left' | 'expired' | undefined) => {
    if (!why) return
    if (why === 'expired') toast.error(t.frame.ended)
    const next = why === 'expired' ? window.location.pathname : undefined
    void navigate({ to: '/console/login', search: next && next !== '/console' ? { next } : {} })
  })
  useEffect(() => onConsoleChange((why) => ended(why)), [])
  return (
    <div className="flex min-h-dvh flex-col">
      <Bar />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-6xl flex-1 flex-col px-4 py-6 outline-none sm:px-6 lg:py-9"
      >
        <GuestBanner />
        <Outlet />
      </main>
    </div>
  )
}

/** Header of the console, also used by its login page. */
export function Bar() {
  const { account, expires } = useConsole()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <a
        href="#content"
        className="absolute top-2 left-2 z-10 -translate-y-16 rounded-lg bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {shell.words.skip}
      </a>
      <div className="mx-auto flex h-15 max-w-6xl items-center gap-1 px-4 sm:px-6">
        <Link to="/console" className="mr-auto flex min-w-0 items-center gap-3 rounded-lg" aria-label={t.frame.home}>
          <Logo />
          <span className="truncate border-l border-line pl-3 text-sm text-muted max-sm:hidden">{t.frame.name}</span>
        </Link>
        <LanguageMenu />
        <ThemeMenu />
        {account && (
          <>
            <span
              className="ml-2 font-mono text-sm text-muted max-md:hidden"
              title={t.frame.until(formatDateTime(expires))}
            >
              {shorten(account, 9, 4)}
            </span>
            <Button
              look="ghost"
              className="max-sm:px-2"
              icon={<LogOut aria-hidden className="size-4" />}
              aria-label={t.frame.leave}
              onClick={() => void leave()}
            >
              <span className="max-sm:hidden">{t.frame.leave}</span>
            </Button>
          </>
        )}
      </div>
    </header>
  )
}
