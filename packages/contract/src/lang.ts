/** The two languages of the product. On the wire the header `lang` says `cn` or `en`; the cookie `lang` says `zh`, `cn` or `en`. */
export type Lang = 'cn' | 'en'

/** Reads one language mark; `undefined` when it says nothing (an SDK may send it empty). */
export function readLang(mark: string | undefined): Lang | undefined {
  const first = mark
    ?.trim()
    .toLowerCase()
    .split(/[-_,;]/)[0]
  if (first === 'cn' || first === 'zh') return 'cn'
  if (first === 'en') return 'en'
  return undefined
}

/** The caller's language: header `lang`, then cookie `lang`, then Accept-Language, then English. */
export function langOf(marks: { header?: string; cookie?: string; accept?: string }): Lang {
  return readLang(marks.header) ?? readLang(marks.cookie) ?? readLang(marks.accept) ?? 'en'
}
