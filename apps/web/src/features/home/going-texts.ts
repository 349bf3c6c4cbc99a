import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./going-texts.en.ts'),
  () => import('./going-texts.zh.ts'),
)
