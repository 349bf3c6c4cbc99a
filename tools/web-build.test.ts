import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { chunkGroups } from '../apps/web/chunk-groups.ts'
import { CONSOLE_FRAME, entriesByPath, SERVICES_HOME } from '../apps/web/entries.mjs'
import { addresses } from '../apps/web/src/addresses.ts'

const web = fileURLToPath(new URL('../apps/web/', import.meta.url))
const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
const icons = join('lucide-react', 'dist', 'esm', 'icons')
const files = [
  ...readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((path) => path.startsWith('src')),
  ...readdirSync(join(modules, icons)).map((name) => join(icons, name)),
].map((path) => path.replaceAll('\\', '/'))

/** Every alternative of a regular expression as one of its own; what a negative lookahead excludes is an alternative too. */
function alternatives(source: string): string[] {
  let at = 0
  const excluded: string[] = []
  function choice(before: string[]): string[] {
    const found: string[] = []
    do found.push(...sequence(before))
    while (source[at] === '|' && ++at)
    return found
  }
  function sequence(before: string[]): string[] {
    let texts = before
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      if (source[at] !== '(') {
        const [piece = ''] = /^(\\.|\[.*?\]|.)[+*?]?/.exec(source.slice(at)) ?? []
        at += piece.length
        texts = texts.map((text) => text + piece)
        continue
      }
      const isLookahead = source.startsWith('(?!', at)
      at += isLookahead ? 3 : 1
      const inner = choice(texts)
      at++
      if (isLookahead) excluded.push(...inner)
      else if (source[at] === '?' && ++at) texts = [...texts, ...inner]
      else texts = inner
    }
    return texts
  }
  return [...choice(['']), ...excluded]
}

const paths = chunkGroups.flatMap(({ name, test }) =>
  alternatives(test.source)
    .filter((path) => /^(src|lucide-react)/.test(path))
    .map((path) => [name, path] as const),
)

describe('the build of the portal', () => {
  it.each(paths)('assigns existing modules to the chunk %s: %s', (_, path) =>
    expect(files.some((file) => new RegExp(path).test(file))).toBe(true),
  )

  // The operator area has no shell.
  it('finds the source file of every prerendered page and of every page of an account', () => {
    const entries = entriesByPath()
    const pages = Object.values(addresses).filter(
      (address) => 'prerendered' in address || (address.frame === 'console' && address.path !== addresses.admin.path),
    )
    expect(pages.map(({ path }) => path).filter((path) => !entries.has(path))).toEqual([])
    const missing = [...entries.values(), CONSOLE_FRAME, SERVICES_HOME].filter((path) => !existsSync(join(web, path)))
    expect(missing).toEqual([])
  })
})
