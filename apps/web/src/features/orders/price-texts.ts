import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./price-texts.en.ts'),
  () => import('./price-texts.zh.ts'),
)
