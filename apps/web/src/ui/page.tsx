import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** Limits the width of a page. `reading` is the width of an article. */
export function Page({
  children,
  width = 'wide',
  className,
}: {
  children: ReactNode
  width?: 'wide' | 'reading' | 'narrow'
  className?: string
}) {
  return (
    <div
      className={classes(
        'mx-auto px-5 py-10 sm:px-8 sm:py-14',
        width === 'wide' ? 'max-w-6xl' : width === 'reading' ? 'max-w-3xl' : 'max-w-xl',
        className,
      )}
    >
      {children}
    </div>
  )
}

/** A section of a public page; `sunken` gives it a background. */
export function Section({
  id,
  eyebrow,
  title,
  intro,
  sunken = false,
  children,
}: {
  id?: string
  eyebrow?: string
  title?: string
  intro?: ReactNode
  sunken?: boolean
  children?: ReactNode
}) {
  return (
    <section id={id} className={classes('scroll-mt-16', sunken && 'border-y border-line bg-sunken/60')}>
      <div className="mx-auto max-w-6xl px-5 py-14 sm:px-8 sm:py-20">
        {(eyebrow || title || intro) && (
          <div className="mb-9 max-w-3xl">
            {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
            {title && <h2 className="text-2xl leading-tight font-semibold tracking-tight sm:text-[2rem]">{title}</h2>}
            {intro && <div className="mt-3 text-base leading-7 text-muted sm:text-[1.0625rem]">{intro}</div>}
          </div>
        )}
        {children}
      </div>
    </section>
  )
}

/** The small line above a title. */
export function Eyebrow({ children }: { children: ReactNode }) {
  return (
    <p className="mb-3 flex items-center gap-2.5 text-sm font-medium text-accent">
      <TideMark />
      {children}
    </p>
  )
}

/** A short wave, the brand's mark. */
export function TideMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 28 8" className={classes('h-2 w-7 shrink-0', className)}>
      <path
        d="M1 5c2.2 0 2.2-3 4.4-3s2.2 3 4.4 3 2.1-3 4.3-3 2.2 3 4.4 3 2.1-3 4.3-3 2.2 3 4.2 3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** The top of a product page: what it is, why, and the first action. */
export function Hero({
  eyebrow,
  title,
  intro,
  actions,
  note,
  children,
}: {
  eyebrow?: string
  title: string
  intro: ReactNode
  actions?: ReactNode
  note?: ReactNode
  /** An illustration or live component beside the text. */
  children?: ReactNode
}) {
  return (
    <div className="border-b border-line">
      <div
        className={classes(
          'mx-auto grid max-w-6xl items-center gap-10 px-5 py-14 sm:px-8 sm:py-20',
          children !== undefined && 'lg:grid-cols-[1.1fr_1fr] lg:gap-16',
        )}
      >
        <div className="max-w-2xl">
          {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
          <h1 className="text-[2.125rem] leading-[1.12] font-semibold tracking-tight sm:text-[2.875rem]">{title}</h1>
          <div className="mt-5 text-base leading-7 text-muted sm:text-lg sm:leading-8">{intro}</div>
          {actions && <div className="mt-8 flex flex-wrap items-center gap-3">{actions}</div>}
          {note && <div className="mt-4 text-sm text-muted">{note}</div>}
        </div>
        {children}
      </div>
    </div>
  )
}

/** The title of a console page, with the actions of the page. */
export function PageTitle({ title, intro, actions }: { title: string; intro?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="mb-6 flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <h1 className="text-2xl leading-8 font-semibold tracking-tight">{title}</h1>
        {intro && <div className="mt-1 max-w-3xl text-muted">{intro}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  )
}
