import { localized } from '../lib/localized.ts'

export const t = await localized(
  () => import('./pager-texts.en.ts'),
  () => import('./pager-texts.zh.ts'),
)
