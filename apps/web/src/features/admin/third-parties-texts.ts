import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./third-parties-texts.en.ts'),
  () => import('./third-parties-texts.zh.ts'),
)
