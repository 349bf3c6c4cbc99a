import { Link } from '@tanstack/react-router'
import { t } from '../../lib/texts.ts'
import { openSupport } from '../feedback/support.ts'
import { Logo } from './logo.tsx'

const linkClass = 'inline-flex min-h-7 items-center text-left text-muted hover:text-text hover:underline'

/** Below every public page. */
export function Footer() {
  const f = t.footer
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl grid-cols-2 gap-x-6 gap-y-9 px-5 py-12 text-sm sm:gap-x-10 sm:px-8 md:grid-cols-4 lg:grid-cols-[1.6fr_1fr_1fr_1fr_1fr]">
        <div className="col-span-full max-w-sm lg:col-span-1 lg:max-w-xs">
          <Logo />
          <p className="mt-3 text-muted">{t.shell.footer}</p>
          <p className="mt-2 text-muted">{f.source}</p>
        </div>
        <Column title={f.product}>
          <Link to="/tss" className={linkClass}>
            {t.pages.storage}
          </Link>
          <Link to="/tc2" className={linkClass}>
            {t.pages.containers}
          </Link>
          <Link to="/pcdn" className={linkClass}>
            {t.pages.pcdn}
          </Link>
          <Link to="/storagenetwork" className={linkClass}>
            {f.status}
          </Link>
        </Column>
        <Column title={f.build}>
          <Link to="/developer" className={linkClass}>
            {t.menus.docs}
          </Link>
          <Link to="/docs/api" className={linkClass}>
            {t.shell.api}
          </Link>
          <Link to="/download" className={linkClass}>
            {t.menus.download}
          </Link>
          <Link to="/introduction" hash="design" className={linkClass}>
            {f.whitepaper}
          </Link>
        </Column>
        <Column title={f.company}>
          <Link to="/about" className={linkClass}>
            {t.pages.about}
          </Link>
          <Link to="/learn" search={{ type: 'NEWS' }} className={linkClass}>
            {f.blog}
          </Link>
          <Link to="/morelog" className={linkClass}>
            {t.pages.changelog}
          </Link>
          <Link to="/privacy-policy" className={linkClass}>
            {t.pages.privacy}
          </Link>
        </Column>
        <Column title={f.help}>
          <Link to="/about" hash="community" className={linkClass}>
            {f.community}
          </Link>
          <Link to="/about" hash="discussions" className={linkClass}>
            {f.discussions}
          </Link>
          <button type="button" className={linkClass} onClick={() => openSupport('support')}>
            {f.support}
          </button>
          <button type="button" className={linkClass} onClick={() => openSupport('contact')}>
            {f.contact}
          </button>
        </Column>
      </div>
    </footer>
  )
}

function Column({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <nav aria-label={title} className="flex flex-col items-start gap-1">
      <p className="mb-1 font-medium">{title}</p>
      {children}
    </nav>
  )
}
