import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./texts.en.ts'),
  () => import('./texts.zh.ts'),
)
