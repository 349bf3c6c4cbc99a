import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../ui/button.tsx'

interface GuideProps {
  title: string
  intro: string
  /** Text of the link to API keys, for what needs one. */
  createKey?: string
  children: ReactNode
}

export function Guide({ title, intro, createKey, children }: GuideProps) {
  return (
    <div className="mx-auto max-w-4xl px-4 py-8 sm:px-6 sm:py-10">
      <div className="flex flex-col items-start gap-4 sm:flex-row">
        <div className="mr-auto max-w-2xl">
          <h1 className="text-2xl font-semibold sm:text-3xl">{title}</h1>
          <p className="mt-2 text-muted">{intro}</p>
        </div>
        {createKey && (
          <Link to="/key" className={buttonClass('primary', 'shrink-0')}>
            {createKey}
          </Link>
        )}
      </div>
      {children}
    </div>
  )
}

/** Names and what they mean. */
export function Facts({ rows }: { rows: readonly string[][] }) {
  return (
    <dl className="mt-3 divide-y divide-line rounded-xl border border-line bg-surface">
      {rows.map(([name, text]) => (
        <div key={name} className="grid gap-1 px-4 py-3 sm:grid-cols-[11rem_1fr] sm:gap-4">
          <dt className="font-medium">{name}</dt>
          <dd className="text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
