import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./card-texts.en.ts'),
  () => import('./card-texts.zh.ts'),
)
