import type { Texts } from './name-texts.en.ts'

export const texts: Texts = {
  nameMissing: '请输入名称。',
  nameTooLong: (max) => `名称最多 ${max} 个字符。`,
  nameLeft: (used, max) => `${used} / ${max} 个字符`,
  nameForbidden: '名称不能包含 / 或 \\。',
}
