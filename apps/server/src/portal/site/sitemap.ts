import { type Address, PAGE_LANGS } from './built.ts'

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

const CODES = { en: 'en', zh: 'zh-CN' } as const

/** The prerendered addresses in both languages, for search engines. */
export function sitemap(origin: string, addresses: readonly Address[]): string {
  const prerendered = addresses.filter(({ prerendered }) => prerendered)
  // A page that shows an article is empty without its slug.
  const shown = prerendered.filter(({ path }) => !prerendered.some((other) => other.path.startsWith(`${path}?`)))
  const urls = shown.map(({ path }) => {
    const url = `${origin}${path}`
    const inLang = (lang: string) => escaped(`${url}${path.includes('?') ? '&' : '?'}lang=${lang}`)
    return [
      '  <url>',
      `    <loc>${escaped(url)}</loc>`,
      ...PAGE_LANGS.map((lang) => `    <xhtml:link rel="alternate" hreflang="${CODES[lang]}" href="${inLang(lang)}"/>`),
      `    <xhtml:link rel="alternate" hreflang="x-default" href="${escaped(url)}"/>`,
      '  </url>',
    ].join('\n')
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`
}

/** Pages of accounts are allowed, because they are empty until someone signs in. */
export const robots = (origin: string): string =>
  [
    'User-agent: *',
    // The description of the API is documentation: llms.txt names it.
    'Allow: /api/openapi.json',
    'Disallow: /api/',
    'Disallow: /dev/',
    'Disallow: /mcp',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
