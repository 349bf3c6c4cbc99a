import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./console-texts.en.ts'),
  () => import('./console-texts.zh.ts'),
)
