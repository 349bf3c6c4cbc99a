import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./image-texts.en.ts'),
  () => import('./image-texts.zh.ts'),
)
