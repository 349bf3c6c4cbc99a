import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./version-texts.en.ts'),
  () => import('./version-texts.zh.ts'),
)
