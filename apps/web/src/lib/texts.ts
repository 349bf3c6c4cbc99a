import type { Lang } from '@tidenet/contract/lang'
import type { Texts } from '../locales/en.ts'
import { readCookie, writeCookie } from './cookies.ts'

/** There is no cookie during prerendering; prerender.mjs sets the language instead. */
const prerenderLang = (): string | undefined => (globalThis as { prerenderLang?: string }).prerenderLang

/** The language of this page, from the cookie `lang`; English by default. */
export const lang: Lang = /^(zh|cn)/.test((import.meta.env.SSR ? prerenderLang() : readCookie('lang')) ?? '')
  ? 'cn'
  : 'en'
/** The language as a tag for Intl and `<html lang>`. */
export const locale = lang === 'cn' ? 'zh-CN' : 'en'

/** The texts of this page's language. Filled before the first render: read it inside functions only. */
export let t: Texts

export async function loadTexts(): Promise<void> {
  t = lang === 'cn' ? (await import('../locales/zh.ts')).zh : (await import('../locales/en.ts')).en
}

/** Stores the language and reloads the page without the hash. */
export function switchLang(next: Lang): void {
  writeCookie('lang', next === 'cn' ? 'zh' : 'en')
  const { pathname, hash } = location
  // A `lang` parameter would override the choice.
  const search = new URLSearchParams(location.search)
  const named = search.has('lang')
  search.delete('lang')
  // location.replace() with the same address would not reload the page.
  if (hash || named) location.replace(pathname + (named ? (search.size > 0 ? `?${search}` : '') : location.search))
  else location.reload()
}
