import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./orders-texts.en.ts'),
  () => import('./orders-texts.zh.ts'),
)
