import { localizedText } from './localized-text.ts'

export const text = await localizedText(
  () => import('../../../content/pages/introduction.en.md'),
  () => import('../../../content/pages/introduction.zh.md'),
)
