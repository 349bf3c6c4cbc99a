import type { Lang } from '@tidenet/contract/lang'
import type { Texts } from '../locales/en.ts'
import { readCookie, writeCookie } from './cookies.ts'

/** While pages are drawn at build there is no cookie: who draws says the language. */
const prerenderLang = (): string | undefined => (globalThis as { prerenderLang?: string }).prerenderLang

/** The language of this page, from the cookie `lang`; English when nothing is said. */
export const lang: Lang = /^(zh|cn)/.test((import.meta.env.SSR ? prerenderLang() : readCookie('lang')) ?? '')
  ? 'cn'
  : 'en'
/** The same as Intl and `<html lang>` name it. */
export const locale = lang === 'cn' ? 'zh-CN' : 'en'

/** The texts of this page's language. Filled before the first render: read it inside functions only. */
export let t: Texts

export async function loadTexts(): Promise<void> {
  t = lang === 'cn' ? (await import('../locales/zh.ts')).zh : (await import('../locales/en.ts')).en
}

/** Remembers the language and loads the page again, without what follows `#`. */
export function switchLang(next: Lang): void {
  writeCookie('lang', next === 'cn' ? 'zh' : 'en')
  const { pathname, hash } = location
  // An address may name a language, which would count more than what was just chosen.
  const search = new URLSearchParams(location.search)
  const named = search.has('lang')
  search.delete('lang')
  // Going to an address that differs only by its missing hash loads the page; the same address needs a reload.
  if (hash || named) location.replace(pathname + (named ? (search.size > 0 ? `?${search}` : '') : location.search))
  else location.reload()
}
