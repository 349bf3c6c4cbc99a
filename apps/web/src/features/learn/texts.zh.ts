import type { Texts } from './texts.en.ts'

export const texts: Texts = {
  eyebrow: '学习',
  intro: {
    BASICS: '网络如何运作：内容标识、副本、抽查、修复、分享与加密。',
    NEWS: '我们开发与实测的结果，数据均可复现。',
    CASES: '完整的示例，命令可直接运行。',
  },
  title: { BASICS: '基础知识', NEWS: '动态', CASES: '案例' },
  kinds: '文章类别',
  minutes: (count) => `阅读约 ${count} 分钟`,
  contents: '本页内容',
  back: '全部文章',
  next: '继续阅读',
  missingTitle: '未找到这篇文章',
  missingText: '它可能已改名，全部文章都列在“学习”页面。',
  failed: '文章加载失败',
  copyCode: '复制代码',
  none: '此类别暂无文章。',
}
