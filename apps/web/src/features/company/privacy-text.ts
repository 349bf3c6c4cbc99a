import { localizedText } from './localized-text.ts'

export const text = await localizedText(
  () => import('../../../content/pages/privacy.en.md'),
  () => import('../../../content/pages/privacy.zh.md'),
)
