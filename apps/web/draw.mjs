// Draws the public pages in both languages after the build: what a client without JavaScript reads, and what everyone sees first.
// Writes dist/drawn/<en|zh>/<page>.html, with {{origin}} where the server puts its own address, and dist/addresses.json.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
const program = join(here, '.drawing')
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
  globalThis.drawnIn = lang
  const { draw, drawn, addresses } = await import(pathToFileURL(join(program, 'draw.js')).href)
  const template = readFileSync(join(dist, 'index.html'), 'utf8')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  const chunks = chunksOfPages(manifest)
  for (const page of drawn()) {
    const drawing = await draw(page)
    const path = join(dist, 'drawn', lang, page.file)
    mkdirSync(dirname(path), { recursive: true })
    const first = ['src/app.tsx', `src/locales/${lang}.ts`].flatMap((name) => closure(manifest, manifest[name]))
    const own = chunks.get(page.href.split('?')[0]) ?? []
    writeFileSync(path, fill(template, drawing, [...new Set([...first, ...own])]))
  }
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

function fill(template, { href, title, description, locale, html }, chunks) {
  const zh = locale === 'zh-CN'
  const url = `{{origin}}${href === '/' ? '/' : href}`
  const join = href.includes('?') ? '&' : '?'
  const meta = (name, content, kind = 'name') => `<meta ${kind}="${name}" content="${escaped(content)}" />`
  const head = [
    meta('description', description),
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
    ...chunks.filter((chunk) => chunk.endsWith('.js')).map((chunk) => preload(chunk)),
  ]
  return template
    .replace('<html lang="en">', `<html lang="${locale}">`)
    .replace(/<title>.*?<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => head.join('\n    '))
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`)
}

/** The files that a page's code lies in, by its address: they can be asked for at once. */
function chunksOfPages(manifest) {
  const routes = ['public.ts', 'bare.ts', 'console.ts'].map((name) =>
    readFileSync(join(here, 'src', 'routes', name), 'utf8'),
  )
  const entries = routes.join('\n').matchAll(/path: '([^']+)'[\s\S]*?import\('\.\.\/(features\/[^']+)'\)/g)
  return new Map([...entries].map(([, path, file]) => [path, closure(manifest, manifest[`src/${file}`])]))
}

/** Pages that are not drawn ask at once for what every page needs. */
function nameFirst() {
  const path = join(dist, 'index.html')
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  const links = closure(manifest, manifest['src/app.tsx']).map((chunk) => preload(chunk))
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`),
  )
}

function preload(chunk) {
  return `<link rel="modulepreload" crossorigin href="/${chunk}" />`
}

function closure(manifest, chunk, found = []) {
  if (!chunk || found.includes(chunk.file)) return found
  found.push(chunk.file)
  for (const name of chunk.imports ?? []) closure(manifest, manifest[name], found)
  return found
}

function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
}
