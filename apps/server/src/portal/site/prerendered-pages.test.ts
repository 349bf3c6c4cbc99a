import { describe, expect, it } from 'vitest'
import { PAGE_LANGS, readBuilt } from './built.ts'
import { BUILT } from './routes.ts'

/** The build of the portal; without one, these tests are skipped. */
const built = readBuilt(BUILT)
const pages = PAGE_LANGS.flatMap((lang) =>
  (built?.addresses ?? []).filter(({ prerendered }) => prerendered).map(({ path }) => ({ lang, path })),
)
const htmlOf = ({ lang, path }: (typeof pages)[number]) => built?.prerendered(path, lang) ?? ''
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, found = '']) => unescaped(found))
const unescaped = (text: string) =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
const metaOf = (html: string, name: string) =>
  all(html, new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`, 'g'))
const titleOf = (html: string) => all(html, /<title>([^<]*)<\/title>/g)
/** The text between header and footer, as clients without scripts see it. */
const wordsOf = (html: string) =>
  (/<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? '')
    .replace(/<(svg|style|script|noscript)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

describe.skipIf(!built)('of the pages that the build has prerendered', () => {
  it('there are all, in both languages', () => {
    expect(pages.length).toBeGreaterThan(40)
    expect(pages.filter((page) => htmlOf(page) === '')).toEqual([])
  })

  it.each(pages)('$path ($lang) has metadata with its description, address and other languages', (page) => {
    const html = htmlOf(page)
    const zh = page.lang === 'zh'
    expect(html).toContain(`<html lang="${zh ? 'zh-CN' : 'en'}"`)
    const [title = ''] = titleOf(html)
    const [description = ''] = metaOf(html, 'description')
    expect(titleOf(html)).toHaveLength(1)
    expect(title.length).toBeGreaterThan(5)
    expect(metaOf(html, 'description')).toHaveLength(1)
    expect(description.length).toBeGreaterThan(zh ? 10 : 25)
    if (zh) expect(description).toMatch(/[\u3400-\u9fff]/)
    else expect(title + description).not.toMatch(/[\u3400-\u9fff]/)

    const address = `{{origin}}${page.path}`
    const withLang = (lang: string) => `${address}${page.path.includes('?') ? '&' : '?'}lang=${lang}`
    expect(all(html, /<link rel="canonical" href="([^"]*)"/g)).toEqual([address])
    expect(all(html, /<link rel="alternate" hreflang="([^"]*)"/g)).toEqual(['en', 'zh-CN', 'x-default'])
    expect(all(html, /<link rel="alternate" hreflang="[^"]*" href="([^"]*)"/g)).toEqual([
      withLang('en'),
      withLang('zh'),
      address,
    ])
    expect(metaOf(html, 'og:title')).toEqual([title])
    expect(metaOf(html, 'og:description')).toEqual([description])
    expect(metaOf(html, 'og:url')).toEqual([address])
    expect(metaOf(html, 'og:locale')).toEqual([zh ? 'zh_CN' : 'en_US'])
    expect(metaOf(html, 'og:image')[0]).toMatch(/^\{\{origin\}\}\/og-(en|zh)\.png$/)
  })

  it.each(pages)('$path ($lang) is readable without scripts and complies with the content security policy', (page) => {
    const html = htmlOf(page)
    const words = wordsOf(html)
    expect(html.match(/<h1\b/g)).toHaveLength(1)
    expect(words.length).toBeGreaterThan(page.lang === 'zh' ? 30 : 100)
    if (page.lang === 'zh') expect(words).toMatch(/[\u3400-\u9fff]{4}/)
    expect(html.match(/<script\b(?![^>]*\bsrc=)/g)).toBeNull()
    expect(html.match(/<[a-z][^>]*\sstyle="/g)).toBeNull()
    expect(html.match(/<(?:script|link rel="stylesheet"|img)[^>]*(?:src|href)="(?:https?:)?\/\//g)).toBeNull()
  })

  it.each(PAGE_LANGS)('no two share a title or a description (%s)', (lang) => {
    const own = pages.filter((page) => page.lang === lang)
    for (const said of [titleOf, (html: string) => metaOf(html, 'description')]) {
      // The address of articles without a slug shows the first one.
      const list = own.filter(({ path }) => path !== '/learndetail').map((page) => said(htmlOf(page))[0])
      expect(list.filter((each, index) => list.indexOf(each) !== index)).toEqual([])
    }
  })

  it.each(PAGE_LANGS)(
    'the top of the services host is prerendered, too, and is nobody’s canonical page (%s)',
    (lang) => {
      const html = built?.servicesHome(lang) ?? ''
      expect(html.match(/<h1\b/g)).toHaveLength(1)
      expect(wordsOf(html).length).toBeGreaterThan(lang === 'zh' ? 100 : 300)
      expect(html).not.toContain('rel="canonical"')
      expect(/[\u3400-\u9fff]{4}/.test(wordsOf(html))).toBe(lang === 'zh')
    },
  )
})
