import type { Texts } from './pager-texts.en.ts'

export const texts: Texts = {
  rows: '每页行数',
  pageOf: (from, to, total) => `第 ${from}–${to} 项，共 ${total.toLocaleString('zh-CN')} 项`,
  previous: '上一页',
  next: '下一页',
}
