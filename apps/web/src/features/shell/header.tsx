import { Link } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { create } from 'zustand'
import { useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { buttonClass, iconButtonClass } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Logo } from '../../ui/logo.tsx'
import { LanguageMenu, panels, ThemeMenu } from './preferences.tsx'

// Loaded when signed in, and when opened.
const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))
const MobileMenu = lazy(async () => ({ default: (await import('./mobile-menu.tsx')).MobileMenu }))

/** Shared by the headers of all layouts: the menu stays open if the next page, with another layout, arrives meanwhile. */
const useMobileMenu = create(() => ({ open: false }))
const setMenu = (open: boolean) => useMobileMenu.setState({ open })

const linkClass =
  'inline-flex min-h-9 items-center gap-1 rounded-lg px-3 text-sm text-muted hover:bg-sunken hover:text-text ' +
  'aria-expanded:text-text aria-[current=page]:font-medium aria-[current=page]:text-text whitespace-nowrap'

/**
 * Header of every page. `wide`: full width, for the console.
 * @param account menu of the signed-in account; other pages than the console load it when somebody is signed in
 */
export function Header({ wide = false, account = <AccountMenu /> }: { wide?: boolean; account?: ReactNode }) {
  const signedIn = useSession((session) => session.address !== '')
  const menu = useMobileMenu(({ open }) => open)
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface/95 backdrop-blur-sm">
      <a
        href="#content"
        className="absolute top-2 left-2 z-10 -translate-y-16 rounded-lg bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t.words.skip}
      </a>
      <div className={`mx-auto flex h-15 items-center gap-1 px-5 sm:px-8 ${wide ? '' : 'max-w-6xl'}`}>
        <Link to="/" className="mr-auto rounded-lg lg:mr-5" aria-label={t.product}>
          <Logo />
        </Link>
        <nav aria-label={t.shell.mainMenu} className="mr-auto hidden items-center gap-0.5 lg:flex">
          {!wide &&
            [t.menus.userNetwork, t.menus.webServices, t.pages.learn].map((title, index) => (
              <Disclosure
                key={title}
                trigger={title}
                triggerClass={linkClass}
                chevron
                panelClass={`left-0 ${index > 0 ? 'w-[42rem]' : 'w-[22rem]'} max-w-[90vw]`}
                load={panels}
              >
                {({ Links }, close) => <Links menu={index} onClose={close} />}
              </Disclosure>
            ))}
          <Link to="/developer" className={linkClass}>
            {t.menus.docs}
          </Link>
          {!wide && (
            <Link to="/download" className={linkClass}>
              {t.menus.download}
            </Link>
          )}
        </nav>
        <LanguageMenu />
        <ThemeMenu />
        {signedIn ? (
          <>
            {!wide && (
              <Link to="/dashboard" className={buttonClass('primary', 'ml-1 whitespace-nowrap max-sm:hidden')}>
                {t.shell.dashboard}
              </Link>
            )}
            <Suspense fallback={<span className="h-9 w-12" />}>{!import.meta.env.SSR && account}</Suspense>
          </>
        ) : (
          <>
            <Link to="/login" className={buttonClass('ghost', 'whitespace-nowrap')}>
              {t.shell.signIn}
            </Link>
            <Link
              to="/login"
              search={{ mode: 'signup' }}
              className={buttonClass('primary', 'ml-1 whitespace-nowrap max-sm:hidden')}
            >
              {t.shell.signUp}
            </Link>
          </>
        )}
        <button
          type="button"
          className={iconButtonClass('-mr-2 lg:hidden')}
          aria-label={t.shell.openMenu}
          aria-haspopup="dialog"
          onClick={() => setMenu(true)}
        >
          <Menu aria-hidden className="size-5" />
        </button>
        {menu && (
          <Suspense>
            <MobileMenu onClose={() => setMenu(false)} />
          </Suspense>
        )}
      </div>
    </header>
  )
}
