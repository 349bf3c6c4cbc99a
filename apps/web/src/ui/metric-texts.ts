import { localized } from '../lib/localized.ts'

export const t = await localized(
  () => import('./metric-texts.en.ts'),
  () => import('./metric-texts.zh.ts'),
)
