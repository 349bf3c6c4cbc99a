import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./ai-data-texts.en.ts'),
  () => import('./ai-data-texts.zh.ts'),
)
