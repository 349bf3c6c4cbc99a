import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./notifications-texts.en.ts'),
  () => import('./notifications-texts.zh.ts'),
)
