import { localized } from '../lib/localized.ts'

export const t = await localized(
  () => import('./receipt-texts.en.ts'),
  () => import('./receipt-texts.zh.ts'),
)
