import { localized } from '../lib/localized.ts'

export const t = await localized(
  () => import('./world-map-texts.en.ts'),
  () => import('./world-map-texts.zh.ts'),
)
