// Loads test fixtures, which are TypeScript and not part of any build, into benchmarks, which are plain JavaScript.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './build.mjs'

/**
 * Imports a `*.fixture.ts` file.
 * @param {string} path from the repository's root
 */
export const loadFixture = async (path) => import(await buildFixture(path))

/**
 * Compiles a `*.fixture.ts` file. Modules of the product are imported from `dist`, so that there is one instance of each.
 * @param {string} path from the repository's root
 * @returns {Promise<string>} the URL of the module
 */
export async function buildFixture(path) {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(root, path),
    platform: 'node',
    plugins: [{ name: 'product-from-dist', resolveId, transform }],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  // Written into the package's folder, so that its imports resolve.
  const [group, name, ...rest] = path.split('/')
  const file = join(root, group, name, '.cache/fixtures', `${rest.join('-')}.mjs`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, output[0].code)
  return pathToFileURL(file).href
}

function resolveId(source, importer) {
  if (!importer) return null
  if (!source.startsWith('.')) return { id: source, external: true }
  const target = resolve(dirname(importer), source)
  if (target.endsWith('.fixture.ts')) return { id: target }
  return { id: pathToFileURL(target.replace('/src/', '/dist/').replace(/\.ts$/, '.js')).href, external: true }
}

/** Fixtures find files relative to their source. */
const transform = (code, id) =>
  code.includes('import.meta.url') ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)) : null
