/** The header `lang` is `cn` or `en`; the cookie `lang` is `zh`, `cn` or `en`. */
export type Lang = 'cn' | 'en'

/** Parses a language code; `undefined` if empty or unknown. */
export function readLang(code: string | undefined): Lang | undefined {
  const first = code
    ?.trim()
    .toLowerCase()
    .split(/[-_,;]/)[0]
  if (first === 'cn' || first === 'zh') return 'cn'
  if (first === 'en') return 'en'
  return undefined
}

/** The caller's language: header `lang`, then cookie `lang`, then Accept-Language, then English. */
export function langOf(sources: { header?: string; cookie?: string; accept?: string }): Lang {
  return readLang(sources.header) ?? readLang(sources.cookie) ?? readLang(sources.accept) ?? 'en'
}
