import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./import-texts.en.ts'),
  () => import('./import-texts.zh.ts'),
)
