import { Link, useSearch } from '@tanstack/react-router'
import { formatDate } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { articleTypes } from '../../searches.ts'
import { Eyebrow, Page } from '../../ui/page.tsx'
import { OnwardLinks } from '../company/onward.tsx'
import type { Article } from './article.ts'
import { articles } from './articles.ts'
import { t } from './texts.ts'

const tabClass =
  'inline-flex min-h-10 items-center border-b-2 border-transparent px-1 text-muted hover:text-text ' +
  'aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text'

/** Articles of one type: basics, news or use cases. */
export function LearnPage() {
  const { type = 'BASICS' } = useSearch({ from: '/site/learn' })
  usePageTitle(t.title[type])
  const list = articles.filter((article) => article.type === type)
  const shown = type === 'NEWS' ? list.toSorted((a, b) => b.date.localeCompare(a.date) || b.order - a.order) : list
  return (
    <>
      <Page>
        <Eyebrow>{t.eyebrow}</Eyebrow>
        <h1 className="text-[2.125rem] leading-tight font-semibold tracking-tight sm:text-[2.625rem]">
          {t.title[type]}
        </h1>
        <p className="mt-3 max-w-2xl text-lg leading-8 text-muted">{t.intro[type]}</p>
        <nav aria-label={t.kinds} className="mt-8 flex gap-6 border-b border-line">
          {articleTypes.map((each) => (
            <Link
              key={each}
              to="/learn"
              search={{ type: each }}
              className={tabClass}
              aria-current={each === type ? 'page' : undefined}
            >
              {t.title[each]}
            </Link>
          ))}
        </nav>
        {shown.length === 0 && <p className="py-14 text-muted">{t.none}</p>}
        <ul className="grid gap-x-12 lg:grid-cols-2">
          {shown.map((article) => (
            <li key={article.slug} className="border-b border-line">
              <ArticleLink article={article} />
            </li>
          ))}
        </ul>
      </Page>
      <OnwardLinks to={type === 'CASES' ? ['developer', 'upload', 'services'] : ['upload', 'network', 'developer']} />
    </>
  )
}

/** An article in a list; the whole row is clickable. */
export function ArticleLink({ article }: { article: Article }) {
  return (
    <article className="group relative h-full py-7">
      <p className="flex gap-3 font-mono text-sm text-muted">
        <time dateTime={article.date}>{formatDate(`${article.date}T12:00:00Z`)}</time>
        <span>{t.minutes(article.minutes)}</span>
      </p>
      <h2 className="mt-2 text-xl leading-snug font-semibold tracking-tight">
        <Link
          to="/learndetail"
          search={{ slug: article.slug }}
          className="after:absolute after:inset-0 group-hover:text-accent"
        >
          {article.title}
        </Link>
      </h2>
      <p className="mt-2 text-muted">{article.summary}</p>
    </article>
  )
}
