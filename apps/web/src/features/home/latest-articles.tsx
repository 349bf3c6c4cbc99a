import { Link } from '@tanstack/react-router'
import { formatDate } from '../../lib/format.ts'
import { Section } from '../../ui/page.tsx'
import { articles } from '../learn/articles.ts'
import { Onward } from './onward.tsx'
import { t } from './sections-texts.ts'

const kinds = ['NEWS', 'BASICS', 'CASES'] as const

/** The latest article of each type. */
export function LatestArticles() {
  const { eyebrow, title, all, minutes, types } = t.articles
  const newest = kinds.flatMap((kind) => {
    const [first] = articles.filter(({ type }) => type === kind).sort((a, b) => b.date.localeCompare(a.date))
    return first ? [first] : []
  })
  return (
    <Section id="articles" eyebrow={eyebrow} title={title} sunken>
      <ul className="grid gap-6 md:grid-cols-3">
        {newest.map((article) => (
          <li key={article.slug} className="flex">
            <Link
              to="/learndetail"
              search={{ slug: article.slug }}
              className="group flex flex-1 flex-col rounded-2xl border border-line bg-surface p-6 hover:border-control"
            >
              <span className="flex justify-between gap-3 text-sm text-muted">
                <span>{types[article.type]}</span>
                <span>{minutes(article.minutes)}</span>
              </span>
              <h3 className="mt-3 text-lg leading-snug font-semibold group-hover:underline">{article.title}</h3>
              <span className="mt-2 mb-4 text-muted">{article.summary}</span>
              <time dateTime={article.date} className="mt-auto text-sm text-muted">
                {formatDate(article.date)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-6">
        <Onward to="/learn">{all}</Onward>
      </div>
    </Section>
  )
}
