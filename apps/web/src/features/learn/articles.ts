import { localized } from '../../lib/localized.ts'
import type { Article, ArticleText } from './article.ts'

const lists = await localized(
  () => import('./articles.en.ts'),
  () => import('./articles.zh.ts'),
)

const slugOf = (path: string) => path.replace(/^.*\/|\.(en|zh)\.md$/g, '')

/** All articles in the page's language, by `order`. */
export const articles: readonly Article[] = Object.entries(lists.metas)
  .map(([path, { meta }]) => ({ ...meta, slug: slugOf(path) }))
  .sort((a, b) => a.order - b.order || a.slug.localeCompare(b.slug))

/** The text of an article, as HTML built from our Markdown; undefined if the slug is unknown. */
export async function readArticle(slug: string): Promise<ArticleText | undefined> {
  const entry = Object.entries(lists.bodies).find(([path]) => slugOf(path) === slug)
  return entry?.[1]()
}
