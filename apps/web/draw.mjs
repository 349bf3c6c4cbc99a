// Draws the public pages in both languages after the build: what a client without JavaScript reads, and what everyone sees first.
// Writes dist/drawn/<en|zh>/<page>.html, with {{origin}} where the server puts its own address, and dist/addresses.json.
// Pages that are drawn by the browser lie in dist/prepared/<en|zh>/: they name their scripts, so that all come at once.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
const program = join(here, '.drawing')
/** What stands around the pages of the console. */
const FRAME = 'src/features/shell/console.tsx'
/** What stands at the top of the services host. */
const SERVICES = 'src/features/home/services-home.tsx'
const [language] = process.argv.slice(2)

if (language) await drawAll(language)
else {
  await build({
    root: here,
    logLevel: 'warn',
    build: { ssr: 'src/draw.tsx', outDir: program, emptyOutDir: true, copyPublicDir: false },
    ssr: { noExternal: true },
  })
  // The language of a page is settled when its code is loaded: a program of its own for each.
  for (const each of ['en', 'zh']) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), each], { stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  }
  nameFirst()
  rmSync(program, { recursive: true })
  rmSync(join(dist, '.vite'), { recursive: true, force: true })
}

async function drawAll(lang) {
  globalThis.prerenderLang = lang
  const { draw, drawn, prepare, prepared, drawServicesHost, addresses } = await import(
    pathToFileURL(join(program, 'draw.js')).href
  )
  const template = readFileSync(join(dist, 'index.html'), 'utf8')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  const entries = entriesOfPages()
  const write = (folder, page, text) => {
    const path = join(dist, folder, lang, page.file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const chunksOf = ({ href, frame }, entry = entries.get(href.split('?')[0])) => {
    const names = ['src/app.tsx', `src/locales/${lang}.ts`, frame === 'console' && FRAME, entry]
    return chunks(manifest, lang, names.filter(Boolean))
  }
  for (const page of drawn()) {
    const drawing = await draw(page)
    // Whoever reads needs letters and styles first: the scripts can wait.
    write('drawn', page, fill(template, drawing, [...publicHead(drawing), ...chunksOf(page).map(preload('low'))]))
  }
  for (const page of prepared()) {
    const drawing = await prepare(page)
    // They are in no map: to those without an account they hold only what they are for.
    write('prepared', page, fill(template, drawing, chunksOf(page).map(preload(drawing.html && 'low'))))
  }
  const services = await drawServicesHost()
  write('prepared', services, fill(template, services, chunksOf(services, SERVICES).map(preload('low'))))
  writeFileSync(
    join(dist, 'addresses.json'),
    JSON.stringify([
      ...Object.values(addresses).map(({ path, frame, drawn = false }) => ({ path, frame, drawn })),
      ...drawn()
        .filter(({ href }) => href.includes('?'))
        .map(({ href }) => ({ path: href, frame: 'site', drawn: true })),
    ]),
  )
}

function fill(template, { title, description, locale, html }, head) {
  return template
    .replace('<html lang="en">', `<html lang="${locale}">`)
    .replace(/<title>.*?<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => meta('description', description))
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`)
}

function meta(name, content, kind = 'name') {
  return `<meta ${kind}="${name}" content="${escaped(content)}" />`
}

/** What search engines and those who show links are told. */
function publicHead({ href, title, description, locale }) {
  const zh = locale === 'zh-CN'
  const url = `{{origin}}${href === '/' ? '/' : href}`
  const join = href.includes('?') ? '&' : '?'
  return [
    `<link rel="canonical" href="${escaped(url)}" />`,
    ...[
      ['en', 'en'],
      ['zh', 'zh-CN'],
    ].map(([key, code]) => `<link rel="alternate" hreflang="${code}" href="${escaped(`${url}${join}lang=${key}`)}" />`),
    `<link rel="alternate" hreflang="x-default" href="${escaped(url)}" />`,
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

/** The file that a page's code begins with, by its address. */
function entriesOfPages() {
  const routes = ['public.ts', 'bare.ts', 'console.ts'].map((name) =>
    readFileSync(join(here, 'src', 'routes', name), 'utf8'),
  )
  const found = routes
    .join('\n')
    .matchAll(/path: '([^']+)'(?:(?!path: ')[\s\S])*?page\([\s\S]*?import\('\.\.\/(features\/[^']+)'\)/g)
  return new Map([...found].map(([, path, file]) => [path, `src/${file}`]))
}

/** The files that some sources lie in with all they need, and the texts that they fetch in the page's language. */
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
  return name.endsWith(`texts.${lang}.ts`) || (lang === 'zh' && /areas-chinese/.test(name))
}

/** Pages that nobody knows ask at once for what every page needs. */
function nameFirst() {
  const path = join(dist, 'index.html')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  const links = chunks(manifest, '', ['src/app.tsx']).map(preload())
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`),
  )
}

function preload(priority) {
  const how = priority ? ` fetchpriority="${priority}"` : ''
  return (chunk) => `<link rel="modulepreload" crossorigin${how} href="/${chunk}" />`
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
}
