import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  title: '关于 Cookie',
  text: '一个 Cookie 记住语言，本地存储保存会话与主题。我们还会统计哪些链接把人带到扩展页面，其中不含与您有关的信息，您可以拒绝；数据不会离开本网络。',
  accept: '接受',
  decline: '拒绝',
  more: '隐私说明',
}
