import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./kind-texts.en.ts'),
  () => import('./kind-texts.zh.ts'),
)
