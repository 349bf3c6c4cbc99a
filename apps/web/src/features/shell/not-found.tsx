import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { t } from '../../lib/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

export function NotFoundPage() {
  usePageTitle(t.errors.notFoundTitle)
  return (
    <div className="flex min-h-dvh flex-col">
      <Header />
      <main
        id="content"
        className="mx-auto flex max-w-lg flex-1 flex-col items-center justify-center gap-3 px-4 py-24 text-center"
      >
        <p className="font-mono text-5xl text-muted">404</p>
        <h1 className="text-xl font-semibold">{t.errors.notFoundTitle}</h1>
        <p className="text-muted">{t.errors.notFoundText}</p>
        <Link to="/" className={buttonClass('primary', 'mt-2')}>
          {t.errors.toHome}
        </Link>
      </main>
      <Footer />
    </div>
  )
}
