import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./ai-proxy-texts.en.ts'),
  () => import('./ai-proxy-texts.zh.ts'),
)
