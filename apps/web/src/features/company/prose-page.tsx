import type { ReactNode } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { Hero } from '../../ui/page.tsx'
import { Prose } from '../../ui/prose.tsx'
import { OnwardLinks } from './onward.tsx'
import type { OnwardName } from './texts.en.ts'

export interface ProseText {
  html: string
  headings: { id: string; title: string; depth: number }[]
}

/** A text page with a table of contents. */
export function ProsePage({
  eyebrow,
  title,
  intro,
  contents,
  text,
  actions,
  onward,
}: {
  eyebrow: string
  title: string
  intro: ReactNode
  /** Title of the table of contents. */
  contents: string
  text: ProseText
  actions?: ReactNode
  /** Links at the end of the page. */
  onward: readonly OnwardName[]
}) {
  usePageTitle()
  const parts = text.headings.filter(({ depth }) => depth === 2)
  return (
    <>
      <Hero eyebrow={eyebrow} title={title} intro={intro} actions={actions} />
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-x-32 gap-y-12 px-5 py-12 sm:px-8 sm:py-16 lg:grid-cols-[minmax(0,44rem)_1fr]">
        <div>
          <Prose html={text.html} />
        </div>
        {parts.length > 2 && (
          <nav aria-label={contents} className="hidden self-start lg:sticky lg:top-24 lg:block">
            <p className="mb-3 text-sm font-medium">{contents}</p>
            <ul className="border-l border-line">
              {parts.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`} className="block py-1.5 pl-4 text-sm text-muted hover:text-text">
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
      <OnwardLinks to={onward} />
    </>
  )
}
