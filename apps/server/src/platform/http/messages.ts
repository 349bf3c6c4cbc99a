import type { Lang } from '@tidenet/contract'

const texts = {
  en: { done: 'success', deleted: 'deleted', partly: 'partially deleted' },
  cn: { done: '成功', deleted: '已删除', partly: '已部分删除' },
} as const satisfies Record<Lang, unknown>

/** The answer of operations that return no data. */
export const successMessage = (lang: Lang) => ({ msg: texts[lang].done })

export const deletedMessage = (lang: Lang, complete: boolean) => ({
  msg: complete ? texts[lang].deleted : texts[lang].partly,
  complete,
})
