import type { Lang } from '@tidenet/contract'

const texts = {
  en: { done: 'success', deleted: 'deleted', partly: 'partially deleted' },
  cn: { done: '成功', deleted: '已删除', partly: '已部分删除' },
} as const satisfies Record<Lang, unknown>

/** What a call says that did something and has nothing more to tell; the same word everywhere. */
export const done = (lang: Lang) => ({ msg: texts[lang].done })

export const deleted = (lang: Lang, complete: boolean) => ({
  msg: complete ? texts[lang].deleted : texts[lang].partly,
  complete,
})
