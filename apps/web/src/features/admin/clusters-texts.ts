import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./clusters-texts.en.ts'),
  () => import('./clusters-texts.zh.ts'),
)
