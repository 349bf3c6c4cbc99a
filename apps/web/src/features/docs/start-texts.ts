import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./start-texts.en.ts'),
  () => import('./start-texts.zh.ts'),
)
