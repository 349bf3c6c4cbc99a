import type { Texts } from './social-texts.en.ts'

export const texts: Texts = {
  chat: '聊天室',
  x: 'X',
  telegram: 'Telegram',
  blog: '博客',
  hub: '全部渠道',
  discussions: '社区讨论',
  label: '其他平台',
}
