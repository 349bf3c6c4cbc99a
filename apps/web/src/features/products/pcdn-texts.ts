import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./pcdn-texts.en.ts'),
  () => import('./pcdn-texts.zh.ts'),
)
