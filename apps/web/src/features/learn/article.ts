import type { ArticleType } from '../../searches.ts'

/** What the head of an article's file says. */
export interface ArticleMeta {
  title: string
  summary: string
  type: ArticleType
  /** YYYY-MM-DD. */
  date: string
  order: number
  /** Minutes of reading. */
  minutes: number
}

export interface Article extends ArticleMeta {
  slug: string
}

export interface ArticleText {
  html: string
  headings: { id: string; title: string; depth: number }[]
}
