import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./kept-texts.en.ts'),
  () => import('./kept-texts.zh.ts'),
)
