import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./form-texts.en.ts'),
  () => import('./form-texts.zh.ts'),
)
