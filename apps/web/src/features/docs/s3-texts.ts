import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./s3-texts.en.ts'),
  () => import('./s3-texts.zh.ts'),
)
