import type { ArticleMeta, ArticleText } from './article.ts'

export const texts = {
  metas: import.meta.glob<{ meta: ArticleMeta }>('/content/learn/*.zh.md', { query: '?meta', eager: true }),
  bodies: import.meta.glob<ArticleText>('/content/learn/*.zh.md'),
}
