import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./sections-texts.en.ts'),
  () => import('./sections-texts.zh.ts'),
)
