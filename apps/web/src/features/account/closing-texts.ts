import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./closing-texts.en.ts'),
  () => import('./closing-texts.zh.ts'),
)
