import { localized } from '../lib/localized.ts'

export const t = await localized(
  () => import('./name-texts.en.ts'),
  () => import('./name-texts.zh.ts'),
)
