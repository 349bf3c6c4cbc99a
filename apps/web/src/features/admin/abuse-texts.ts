import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./abuse-texts.en.ts'),
  () => import('./abuse-texts.zh.ts'),
)
