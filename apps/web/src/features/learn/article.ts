import type { ArticleType } from '../../searches.ts'

/** The front matter of an article. */
export interface ArticleMeta {
  title: string
  summary: string
  type: ArticleType
  /** YYYY-MM-DD. */
  date: string
  order: number
  /** Reading time. */
  minutes: number
}

export interface Article extends ArticleMeta {
  slug: string
}

export interface ArticleText {
  html: string
  headings: { id: string; title: string; depth: number }[]
}
