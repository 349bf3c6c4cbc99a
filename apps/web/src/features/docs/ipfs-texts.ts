import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./ipfs-texts.en.ts'),
  () => import('./ipfs-texts.zh.ts'),
)
