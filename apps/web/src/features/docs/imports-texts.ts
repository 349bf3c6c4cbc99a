import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./imports-texts.en.ts'),
  () => import('./imports-texts.zh.ts'),
)
