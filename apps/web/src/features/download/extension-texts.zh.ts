import type { Texts } from './extension-texts.en.ts'

export const texts: Texts = {
  leaving: '正在前往，请稍候。',
  now: '立即前往',
}
