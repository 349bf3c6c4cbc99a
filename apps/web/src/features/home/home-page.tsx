import { Link } from '@tanstack/react-router'
import { useSession } from '../../lib/session-store.ts'
import { t } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { usePageTitle } from '../shell/page-title.tsx'
import { AnonymousUpload } from './anonymous-upload.tsx'
import { Figures } from './figures.tsx'

export function HomePage() {
  usePageTitle()
  const signedIn = useSession((session) => session.address !== '')
  return (
    <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6 sm:py-16">
      <div className="grid items-start gap-10 lg:grid-cols-[1fr_26rem] lg:gap-14">
        <div>
          <h1 className="text-3xl leading-tight font-semibold tracking-tight sm:text-[2.625rem]">{t.home.title}</h1>
          <p className="mt-5 max-w-prose text-base leading-7 text-muted sm:text-[1.0625rem]">{t.home.intro}</p>
          <div className="mt-7 flex flex-wrap items-center gap-3">
            {signedIn ? (
              <Link to="/fileStorage" className={buttonClass('primary', 'min-h-10 px-5')}>
                {t.shell.console}
              </Link>
            ) : (
              <>
                <Link to="/login" search={{ mode: 'signup' }} className={buttonClass('primary', 'min-h-10 px-5')}>
                  {t.home.start}
                </Link>
                <Link to="/login" className={buttonClass('secondary', 'min-h-10 px-5')}>
                  {t.shell.signIn}
                </Link>
              </>
            )}
          </div>
          <p className="mt-3 text-sm text-muted">{t.home.plan}</p>
        </div>
        <AnonymousUpload />
      </div>
      <Figures />
    </div>
  )
}
