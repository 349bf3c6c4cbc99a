import { Link, useLoaderData, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { formatDate } from '../../lib/format.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Prose, TableOfContents } from '../../ui/prose.tsx'
import type { Article } from './article.ts'
import { articles } from './articles.ts'
import { ArticleLink } from './learn-page.tsx'
import { t } from './texts.ts'

export function ArticlePage() {
  const { slug = '' } = useSearch({ from: '/site/learndetail' })
  const article = articles.find((each) => each.slug === slug)
  usePageTitle(article?.title ?? t.missingTitle)
  return article ? <Text key={slug} article={article} /> : <Missing />
}

function Text({ article }: { article: Article }) {
  const text = useLoaderData({ from: '/site/learndetail' })
  if (!text) return <Missing />
  const same = articles.filter(({ type }) => type === article.type)
  const next = same[(same.indexOf(article) + 1) % same.length]
  return (
    <Page>
      <Link
        to="/learn"
        search={{ type: article.type }}
        className="inline-flex min-h-8 items-center gap-2 text-sm text-muted hover:text-text"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {t.title[article.type]}
      </Link>
      <header className="mt-5 max-w-3xl">
        <h1 className="text-[2rem] leading-[1.15] font-semibold tracking-tight sm:text-[2.75rem]">{article.title}</h1>
        <p className="mt-4 text-lg leading-8 text-muted">{article.summary}</p>
        <p className="mt-4 flex gap-4 font-mono text-sm text-muted">
          <time dateTime={article.date}>{formatDate(`${article.date}T12:00:00Z`)}</time>
          <span>{t.minutes(article.minutes)}</span>
        </p>
      </header>
      <div className="mt-10 grid grid-cols-[minmax(0,1fr)] gap-x-32 gap-y-12 border-t border-line pt-10 lg:grid-cols-[minmax(0,44rem)_1fr]">
        <article>
          <Prose html={text.html} />
        </article>
        <TableOfContents title={t.contents} headings={text.headings} />
      </div>
      {next && next !== article && (
        <aside className="mt-14 max-w-3xl border-t border-line pt-6">
          <p className="text-sm font-medium text-accent">{t.next}</p>
          <ArticleLink article={next} />
        </aside>
      )}
    </Page>
  )
}

function Missing() {
  return (
    <Page width="narrow" className="text-center">
      <h1 className="text-2xl font-semibold">{t.missingTitle}</h1>
      <p className="mt-2 text-muted">{t.missingText}</p>
      <Link to="/learn" className={buttonClass('primary', 'mt-6')}>
        {t.back}
      </Link>
    </Page>
  )
}
