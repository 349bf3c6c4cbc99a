import type { ReactNode } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { Hero } from '../../ui/page.tsx'
import { type Heading, Prose, TableOfContents } from '../../ui/prose.tsx'
import { OnwardLinks } from './onward.tsx'
import type { OnwardName } from './texts.en.ts'

export interface ProseText {
  html: string
  headings: Heading[]
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
  return (
    <>
      <Hero eyebrow={eyebrow} title={title} intro={intro} actions={actions} />
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-x-32 gap-y-12 px-5 py-12 sm:px-8 sm:py-16 lg:grid-cols-[minmax(0,44rem)_1fr]">
        <div>
          <Prose html={text.html} />
        </div>
        <TableOfContents title={contents} headings={text.headings} />
      </div>
      <OnwardLinks to={onward} />
    </>
  )
}
