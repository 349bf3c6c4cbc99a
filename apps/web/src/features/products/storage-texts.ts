import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./storage-texts.en.ts'),
  () => import('./storage-texts.zh.ts'),
)
