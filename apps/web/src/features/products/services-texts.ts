import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./services-texts.en.ts'),
  () => import('./services-texts.zh.ts'),
)
