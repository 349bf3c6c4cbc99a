import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../ui/button.tsx'

/** A page that begins with making an API key. */
export function Guide({
  title,
  intro,
  createKey,
  children,
}: Record<'title' | 'intro' | 'createKey', string> & { children: ReactNode }) {
  return (
    <div className="mx-auto max-w-4xl px-4 py-8 sm:px-6 sm:py-10">
      <div className="flex flex-wrap items-start gap-4">
        <div className="mr-auto max-w-2xl">
          <h1 className="text-2xl font-semibold sm:text-3xl">{title}</h1>
          <p className="mt-2 text-muted">{intro}</p>
        </div>
        <Link to="/key" className={buttonClass('primary')}>
          {createKey}
        </Link>
      </div>
      {children}
    </div>
  )
}
