import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./webhooks-texts.en.ts'),
  () => import('./webhooks-texts.zh.ts'),
)
