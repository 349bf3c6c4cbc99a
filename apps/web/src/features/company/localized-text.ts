import { lang } from '../../lib/texts.ts'
import type { ProseText } from './prose-page.tsx'

/** A long text in this page's language. Headings have the ids of the English text, so that links to them work in both languages. */
export async function localizedText(en: () => Promise<ProseText>, zh: () => Promise<ProseText>): Promise<ProseText> {
  if (lang === 'en') return en()
  const [text, english] = await Promise.all([zh(), en()])
  let { html } = text
  const headings = text.headings.map((heading, index) => {
    const id = english.headings[index]?.id ?? heading.id
    html = html.replace(`id="${heading.id}"`, `id="${id}"`)
    return { ...heading, id }
  })
  return { html, headings }
}
