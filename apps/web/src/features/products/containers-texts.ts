import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./containers-texts.en.ts'),
  () => import('./containers-texts.zh.ts'),
)
