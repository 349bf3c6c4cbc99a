// The source files of pages, whose chunks prerender.mjs preloads. tools/web-build.test.ts checks that they exist.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
export const CONSOLE_FRAME = 'src/features/shell/console.tsx'
export const SERVICES_HOME = 'src/features/home/services-home.tsx'

/** Maps a page's path to the source file of its component. */
export function entriesByPath() {
  const routes = ['public.ts', 'bare.ts', 'console.ts'].map((name) =>
    readFileSync(join(here, 'src', 'routes', name), 'utf8'),
  )
  const found = routes
    .join('\n')
    .matchAll(/path: '([^']+)'(?:(?!path: ')[\s\S])*?page\([\s\S]*?import\('\.\.\/(features\/[^']+)'\)/g)
  return new Map([...found].map(([, path, file]) => [path, `src/${file}`]))
}
