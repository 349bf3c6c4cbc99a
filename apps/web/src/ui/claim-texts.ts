import { localized } from '../lib/localized.ts'

export const t = await localized(
  () => import('./claim-texts.en.ts'),
  () => import('./claim-texts.zh.ts'),
)
