import { Link, type LinkProps } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useState } from 'react'
import { t } from '../../lib/texts.ts'
import { Logo } from '../../ui/logo.tsx'
import { openSupport } from '../feedback/support.ts'

const FooterSocial = lazy<() => React.ReactNode>(() =>
  import('./footer-social.tsx').then(
    ({ FooterSocial }) => ({ default: FooterSocial }),
    () => ({ default: () => null }),
  ),
)

const linkClass = 'inline-flex min-h-7 items-center text-left text-muted hover:text-text hover:underline'

/** Footer of public pages. */
export function Footer() {
  const f = t.footer
  const [seen, setSeen] = useState(false)
  const observe = useCallback((place: HTMLDivElement) => {
    // With a margin, because the end of a page may be a fraction of a pixel out of reach.
    const observer = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setSeen(true), {
      rootMargin: '0px 0px 60px',
    })
    observer.observe(place)
    return () => observer.disconnect()
  }, [])
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl grid-cols-2 gap-x-6 gap-y-9 px-5 py-12 text-sm sm:gap-x-10 sm:px-8 md:grid-cols-4 lg:grid-cols-[1.6fr_1fr_1fr_1fr_1fr]">
        <div className="col-span-full max-w-sm lg:col-span-1 lg:max-w-xs">
          <Logo />
          <p className="mt-3 text-muted">{t.shell.footer}</p>
          <p className="mt-2 text-muted">{f.source}</p>
        </div>
        <Column title={f.product}>
          <To to="/tss" text={t.pages.storage} />
          <To to="/tc2" text={t.pages.containers} />
          <To to="/pricing" text={t.pages.prices} />
          <To to="/pcdn" text={t.pages.pcdn} />
          <To to="/storagenetwork" text={f.status} />
        </Column>
        <Column title={f.build}>
          <To to="/developer" text={t.menus.docs} />
          <To to="/docs/start" text={t.shell.quickStart} />
          <To to="/docs/api" text={t.shell.api} />
          <To to="/docs/s3" text="S3" />
          <To to="/docs/ipfs" text="IPFS" />
          <To to="/docs/imports" text={t.pages.imports} />
          <To to="/download" text={t.menus.download} />
          <To to="/verify" text={t.pages.verify} />
          <To to="/introduction" hash="design" text={f.whitepaper} />
        </Column>
        <Column title={f.company}>
          <To to="/about" text={t.pages.about} />
          <To to="/learn" search={{ type: 'NEWS' }} text={f.blog} />
          <To to="/morelog" text={t.pages.changelog} />
          <To to="/privacy-policy" text={t.pages.privacy} />
        </Column>
        <Column title={f.help}>
          <To to="/about" hash="community" text={f.community} />
          <To to="/about" hash="discussions" text={f.discussions} />
          <To to="/report" text={t.footer.report} />
          <button type="button" className={linkClass} onClick={() => openSupport('support')}>
            {f.support}
          </button>
          <button type="button" className={linkClass} onClick={() => openSupport('contact')}>
            {f.contact}
          </button>
        </Column>
      </div>
      <div ref={observe}>
        {seen && (
          <Suspense>
            <FooterSocial />
          </Suspense>
        )}
      </div>
    </footer>
  )
}

const To = ({ text, ...to }: LinkProps & { text: string }) => (
  <Link {...to} className={linkClass}>
    {text}
  </Link>
)

function Column({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <nav aria-label={title} className="flex flex-col items-start gap-1">
      <p className="mb-1 font-medium">{title}</p>
      {children}
    </nav>
  )
}
