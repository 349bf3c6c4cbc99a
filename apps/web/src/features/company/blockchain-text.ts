import { localizedText } from './localized-text.ts'

export const text = await localizedText(
  () => import('../../../content/pages/blockchain.en.md'),
  () => import('../../../content/pages/blockchain.zh.md'),
)
