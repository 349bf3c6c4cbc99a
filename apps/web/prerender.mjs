// Prerenders pages in both languages after the build, for clients without JavaScript and for a fast first paint.
// Writes public pages to dist/prerendered/<en|zh>/<page>.html, with {{origin}} where the server inserts its own address, and
// dist/addresses.json. Pages that the browser renders get a shell in dist/shells/<en|zh>/ that preloads their scripts.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { CONSOLE_FRAME, entriesByPath, SERVICES_HOME } from './entries.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
const program = join(here, '.prerender')
const [language] = process.argv.slice(2)

if (language) await writePages(language)
else {
  await build({
    root: here,
    logLevel: 'warn',
    build: { ssr: 'src/prerender.tsx', outDir: program, emptyOutDir: true, copyPublicDir: false },
    ssr: { noExternal: true },
  })
  // Modules choose their language when they load, so each language needs its own process.
  for (const each of ['en', 'zh']) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), each], { stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  }
  preloadInIndex()
  rmSync(program, { recursive: true })
  rmSync(join(dist, '.vite'), { recursive: true, force: true })
}

async function writePages(lang) {
  globalThis.prerenderLang = lang
  const { renderPage, prerenderedPages, renderShell, shellPages, renderServicesHome, addresses } = await import(
    pathToFileURL(join(program, 'prerender.js')).href
  )
  const template = readFileSync(join(dist, 'index.html'), 'utf8')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  const entries = entriesByPath()
  const write = (folder, page, text) => {
    const path = join(dist, folder, lang, page.file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const chunksOf = ({ href, frame }, entry = entries.get(href.split('?')[0])) => {
    const names = ['index.html', `src/locales/${lang}.ts`, frame === 'console' && CONSOLE_FRAME, entry]
    return chunks(manifest, lang, names.filter(Boolean))
  }
  for (const page of prerenderedPages()) {
    const rendered = await renderPage(page)
    // The page is readable without scripts, so fonts and styles load first.
    write(
      'prerendered',
      page,
      fill(template, rendered, [...publicHead(rendered), ...chunksOf(page).map(preload('low'))]),
    )
  }
  for (const page of shellPages()) {
    const rendered = await renderShell(page)
    // Without metadata for search engines: shells have no public content.
    write('shells', page, fill(template, rendered, chunksOf(page).map(preload(rendered.html && 'low'))))
  }
  const services = await renderServicesHome()
  write('shells', services, fill(template, services, chunksOf(services, SERVICES_HOME).map(preload('low'))))
  writeFileSync(
    join(dist, 'addresses.json'),
    JSON.stringify([
      ...Object.values(addresses).map(({ path, frame, prerendered = false }) => ({ path, frame, prerendered })),
      ...prerenderedPages()
        .filter(({ href }) => href.includes('?'))
        .map(({ href }) => ({ path: href, frame: 'site', prerendered: true })),
    ]),
  )
}

function fill(template, { title, description, locale, html }, head) {
  return template
    .replace('<html lang="en">', `<html lang="${locale}">`)
    .replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => meta('description', description))
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`)
}

function meta(name, content, kind = 'name') {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}" />`
}

/** Metadata for search engines and link previews. */
function publicHead({ href, title, description, locale }) {
  const zh = locale === 'zh-CN'
  const url = `{{origin}}${href === '/' ? '/' : href}`
  const join = href.includes('?') ? '&' : '?'
  return [
    `<link rel="canonical" href="${escapeHtml(url)}" />`,
    ...[
      ['en', 'en'],
      ['zh', 'zh-CN'],
    ].map(
      ([key, code]) => `<link rel="alternate" hreflang="${code}" href="${escapeHtml(`${url}${join}lang=${key}`)}" />`,
    ),
    `<link rel="alternate" hreflang="x-default" href="${escapeHtml(url)}" />`,
    meta('og:type', href.includes('slug=') ? 'article' : 'website', 'property'),
    meta('og:site_name', 'Tidenet', 'property'),
    meta('og:title', title, 'property'),
    meta('og:description', description, 'property'),
    meta('og:url', url, 'property'),
    meta('og:locale', zh ? 'zh_CN' : 'en_US', 'property'),
    meta('og:image', `{{origin}}/og-${zh ? 'zh' : 'en'}.png`, 'property'),
    meta('twitter:card', 'summary_large_image'),
  ]
}

/** The built scripts of some source files, with their static imports and the texts of the page's language. */
function chunks(manifest, lang, names) {
  const found = new Map()
  const add = (name) => {
    const chunk = manifest[name]
    if (!chunk || found.has(chunk.file)) return
    found.set(chunk.file, chunk)
    for (const each of chunk.imports ?? []) add(each)
    for (const each of chunk.dynamicImports ?? []) if (isText(each, lang)) add(each)
  }
  for (const name of names) add(name)
  return [...found.keys()].filter((file) => file.endsWith('.js'))
}

function isText(name, lang) {
  return new RegExp(`(texts|pages)\\.${lang}\\.ts$`).test(name) || (lang === 'zh' && /areas-chinese/.test(name))
}

/** Adds preloads of the shared scripts to index.html, which unknown addresses get. */
function preloadInIndex() {
  const path = join(dist, 'index.html')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  const links = chunks(manifest, '', ['index.html']).map(preload())
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`),
  )
}

function preload(priority) {
  const how = priority ? ` fetchpriority="${priority}"` : ''
  return (chunk) => `<link rel="modulepreload" crossorigin${how} href="/${chunk}" />`
}

function escapeHtml(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
}
