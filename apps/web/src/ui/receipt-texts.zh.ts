import type { Texts } from './receipt-texts.en.ts'

export const texts: Texts = {
  receipt: '凭证',
  receiptOf: (what) => `凭证：${what}`,
  saved: '凭证已保存',
}
