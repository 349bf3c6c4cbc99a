import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  title: '关于 Cookie',
  text: '我们用一个 Cookie 记住语言，用本地存储保存会话与主题。我们还会统计各链接带来的扩展页面访问次数，其中不含与您有关的信息，您可以拒绝。数据不会离开本网络。',
  accept: '接受',
  decline: '拒绝',
  more: '隐私说明',
}
