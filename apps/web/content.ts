import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Marked } from 'marked'
import { VFile } from 'vfile'
import { matter } from 'vfile-matter'
import type { Plugin } from 'vite'

/** Compiles the portal's Markdown into modules: `x.md` exports `{ meta, html, headings }`, `x.md?meta` only `{ meta }`. */
export function content(): Plugin {
  return {
    name: 'content',
    enforce: 'pre',
    load(id) {
      const [path = '', query] = id.split('?')
      if (!path.endsWith('.md')) return
      const { meta, body } = readArticle(path)
      if (query === 'meta') return `export const meta = ${JSON.stringify(meta)}`
      const { html, headings, drawings } = toHtml(body, dirname(path))
      for (const drawing of [path, ...drawings]) this.addWatchFile(drawing)
      return Object.entries({ meta, html, headings })
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}

type Meta = Record<string, string | number>

function readArticle(path: string): { meta: Meta; body: string } {
  const file = new VFile(readFileSync(path))
  // YAML 1.2 has no date type, so dates stay strings.
  matter(file, { strip: true })
  const meta = file.data.matter as Meta
  const body = String(file)
  if (Object.keys(meta).length === 0) return { meta, body }
  // Reading speed per minute: 220 English words or 350 Chinese characters.
  const chinese = body.match(/[\u4e00-\u9fff]/g)?.length ?? 0
  const words = body.replace(/[\u4e00-\u9fff]/g, ' ').match(/[A-Za-z0-9]+/g)?.length ?? 0
  return { meta: { ...meta, minutes: Math.max(1, Math.round(chinese / 350 + words / 220)) }, body }
}

export interface Heading {
  id: string
  title: string
  depth: number
}

const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

function toHtml(body: string, folder: string) {
  const headings: Heading[] = []
  const drawings: string[] = []
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const title = text.replace(/[`*_]/g, '')
        const id = slug(title) || `part-${headings.length + 1}`
        headings.push({ id, title, depth })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`
      },
      image({ href, text }) {
        const path = join(folder, href)
        drawings.push(path)
        const svg = readFileSync(path, 'utf8').replace(/^[\s\S]*?<svg/, '<svg')
        return `<figure role="img" tabindex="0" aria-label="${escapeHtml(text)}">${svg}</figure>`
      },
      table(token) {
        const cell = (tag: string, each: { tokens: (typeof token.header)[number]['tokens'] }) =>
          `<${tag}>${this.parser.parseInline(each.tokens)}</${tag}>`
        const head = `<tr>${token.header.map((each) => cell('th', each)).join('')}</tr>`
        const rows = token.rows.map((row) => `<tr>${row.map((each) => cell('td', each)).join('')}</tr>`).join('')
        return `<div class="wide-table" tabindex="0" role="region"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>`
      },
      code({ text, lang }) {
        return `<pre tabindex="0"><code${lang ? ` data-language="${escapeHtml(lang)}"` : ''}>${escapeHtml(text)}</code></pre>`
      },
    },
  })
  const html = marked.parse(body, { async: false })
  return { html, headings, drawings }
}

const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
