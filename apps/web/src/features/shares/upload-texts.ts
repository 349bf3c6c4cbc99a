import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./upload-texts.en.ts'),
  () => import('./upload-texts.zh.ts'),
)
