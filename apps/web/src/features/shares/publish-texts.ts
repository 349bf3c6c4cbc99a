import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./publish-texts.en.ts'),
  () => import('./publish-texts.zh.ts'),
)
