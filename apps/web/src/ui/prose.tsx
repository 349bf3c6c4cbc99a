/** Renders HTML that was compiled from this repository's Markdown. Never pass HTML from another source. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: compiled from our own files at build
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}

export interface Heading {
  id: string
  title: string
  depth: number
}

/** The table of contents of a long text, on wide windows; nothing for up to two sections. @param title above the links */
export function TableOfContents({ title, headings }: { title: string; headings: readonly Heading[] }) {
  const sections = headings.filter(({ depth }) => depth === 2)
  if (sections.length <= 2) return null
  return (
    <nav aria-label={title} className="hidden self-start lg:sticky lg:top-24 lg:block">
      <p className="mb-3 text-sm font-medium">{title}</p>
      <ul className="border-l border-line">
        {sections.map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`} className="block py-1.5 pl-4 text-sm text-muted hover:text-text">
              {section.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
