import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./earnings-texts.en.ts'),
  () => import('./earnings-texts.zh.ts'),
)
