import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./exchange-texts.en.ts'),
  () => import('./exchange-texts.zh.ts'),
)
