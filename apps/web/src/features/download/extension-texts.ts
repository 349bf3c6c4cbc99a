import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./extension-texts.en.ts'),
  () => import('./extension-texts.zh.ts'),
)
