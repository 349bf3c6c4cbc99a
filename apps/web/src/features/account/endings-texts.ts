import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./endings-texts.en.ts'),
  () => import('./endings-texts.zh.ts'),
)
