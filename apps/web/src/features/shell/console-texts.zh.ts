import type { Texts } from './console-texts.en.ts'

export const texts: Texts = {
  support: '联系支持',
  elsewhere: '其他平台',
  social: {
    chat: '聊天室',
    x: 'X',
    telegram: 'Telegram',
    blog: '博客',
    hub: '全部链接',
    discussions: '社区讨论',
  },
}
