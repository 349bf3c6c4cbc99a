import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./link-texts.en.ts'),
  () => import('./link-texts.zh.ts'),
)
