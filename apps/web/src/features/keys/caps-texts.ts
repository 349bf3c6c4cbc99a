import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./caps-texts.en.ts'),
  () => import('./caps-texts.zh.ts'),
)
