import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./menu-texts.en.ts'),
  () => import('./menu-texts.zh.ts'),
)
