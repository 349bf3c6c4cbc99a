import type { DirectoryEntry } from '@tidenet/content/graph'
import { type Lang, texts } from './texts.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.25rem;overflow-wrap:anywhere}code{font-size:.8rem;overflow-wrap:anywhere;opacity:.75}table{width:100%;border-collapse:collapse}
th,td{text-align:start;padding:.4rem .5rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}
td:first-child{overflow-wrap:anywhere}.size{text-align:end;white-space:nowrap}a{color:inherit}`

const page = (lang: Lang, title: string, body: string): string => `<!doctype html>
<html lang="${lang === 'zh' ? 'zh-CN' : 'en'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style>
${body}
</html>
`

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
function formatSize(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0)
  const value = bytes / 1024 ** unit
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

/** A list of a folder. @param sizes are those that the folder declares */
export function folderPage(
  lang: Lang,
  folder: { cid: string; path: readonly string[]; entries: readonly DirectoryEntry[]; isCut: boolean },
): string {
  const { cid, path, entries, isCut } = folder
  const t = (key: keyof typeof texts) => escapeHtml(texts[key][lang])
  const name = path.at(-1) ?? cid
  const rows = entries.map(
    ({ name, size }) =>
      `<tr><td><a href="./${escapeHtml(encodeURIComponent(name))}">${escapeHtml(name)}</a></td><td class="size">${formatSize(size)}</td></tr>`,
  )
  const up = path.length > 0 ? `<p><a href="../">← ${t('parent')}</a></p>` : ''
  const table =
    entries.length === 0
      ? `<p>${t('empty')}</p>`
      : `<table><thead><tr><th>${t('name')}</th><th class="size">${t('size')}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return page(
    lang,
    name,
    `<main><h1>${escapeHtml(name)}</h1><p><code>${escapeHtml(cid)}</code></p>${up}${table}${isCut ? `<p>${t('more')}</p>` : ''}</main>`,
  )
}

/** The front page. @param server address of the portal */
export function frontPage(lang: Lang, server: string): string {
  const t = (key: keyof typeof texts) => escapeHtml(texts[key][lang])
  return page(
    lang,
    texts.title[lang],
    `<main><h1>${t('title')}</h1><p>${t('intro')}</p><p><a href="${escapeHtml(`${server}/report`)}" rel="noreferrer">${t('report')}</a></p></main>`,
  )
}
