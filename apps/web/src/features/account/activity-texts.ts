import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./activity-texts.en.ts'),
  () => import('./activity-texts.zh.ts'),
)
