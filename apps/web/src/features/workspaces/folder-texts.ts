import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./folder-texts.en.ts'),
  () => import('./folder-texts.zh.ts'),
)
