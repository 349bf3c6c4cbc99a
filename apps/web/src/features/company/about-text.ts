import { localizedText } from './localized-text.ts'

export const text = await localizedText(
  () => import('../../../content/pages/about.en.md'),
  () => import('../../../content/pages/about.zh.md'),
)
