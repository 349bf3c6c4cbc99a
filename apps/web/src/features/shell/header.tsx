import { Link } from '@tanstack/react-router'
import { useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Logo } from './logo.tsx'
import { MobileMenu } from './mobile-menu.tsx'
import { LanguageMenu, ThemeMenu } from './preferences.tsx'

const linkClass =
  'rounded-lg px-3 py-1.5 text-sm text-muted hover:bg-sunken hover:text-text aria-[current=page]:text-text aria-[current=page]:font-medium'

/** Above every page. In the console it spans the width, elsewhere it keeps to the text. */
export function Header({ wide = false }: { wide?: boolean }) {
  const signedIn = useSession((session) => session.address !== '')
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <a
        href="#content"
        className="absolute top-2 left-2 z-10 -translate-y-16 rounded-lg bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t.words.skip}
      </a>
      <div className={`mx-auto flex h-14 items-center gap-1 px-4 sm:px-6 ${wide ? '' : 'max-w-6xl'}`}>
        <Link to="/" className="mr-auto rounded-lg sm:mr-4" aria-label={t.product}>
          <Logo />
        </Link>
        <nav aria-label={t.shell.mainMenu} className="mr-auto hidden gap-0.5 sm:flex">
          {!wide && signedIn && (
            <Link to="/fileStorage" className={linkClass}>
              {t.shell.files}
            </Link>
          )}
          <Link to="/docs/api" className={linkClass}>
            {t.shell.api}
          </Link>
        </nav>
        <LanguageMenu />
        <ThemeMenu />
        {signedIn ? (
          <AccountMenu />
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
        <MobileMenu />
      </div>
    </header>
  )
}
