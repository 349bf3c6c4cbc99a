import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./social-texts.en.ts'),
  () => import('./social-texts.zh.ts'),
)
