import { localized } from '../../lib/localized.ts'

export const t = await localized(
  () => import('./chats-texts.en.ts'),
  () => import('./chats-texts.zh.ts'),
)
