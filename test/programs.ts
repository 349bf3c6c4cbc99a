import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROGRAMS = ['server', 'node', 'cli'] as const
/** Packages with native parts, and one that a dependency would load only to read a configuration in TypeScript. */
const EXTERNAL = [/^@node-rs\/argon2/, /^ssh2$/, 'pg-native', 'typescript']
const BUNDLES = join(ROOT, '.cache', 'test-programs')

/**
 * Bundles the compiled programs for the tests that start them hundreds of times: a program of one file starts in a third of the time. The
 * folder is in TIDENET_TEST_PROGRAMS.
 */
export default async function bundlePrograms(): Promise<void> {
  const folder = join(BUNDLES, hashOfCompiled())
  process.env.TIDENET_TEST_PROGRAMS = folder
  if (existsSync(folder)) return
  rmSync(BUNDLES, { recursive: true, force: true })
  mkdirSync(BUNDLES, { recursive: true })
  const draft = join(BUNDLES, `draft-${process.pid}`)
  for (const name of PROGRAMS)
    await build({
      input: join(ROOT, 'apps', name, 'dist/main.js'),
      platform: 'node',
      external: EXTERNAL,
      plugins: [ownUrls],
      logLevel: 'silent',
      output: { file: join(draft, `${name}.mjs`), format: 'esm', codeSplitting: false },
    })
  renameSync(draft, folder)
}

/** Modules find the files next to them, such as migrations, as if they were not bundled. */
const ownUrls: Plugin = {
  name: 'own-urls',
  transform: (code, id) =>
    code.includes('import.meta.url') && isAbsolute(id)
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : undefined,
}

function hashOfCompiled(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  const folders = ['apps', 'packages'].flatMap((kind) =>
    readdirSync(join(ROOT, kind)).map((name) => join(ROOT, kind, name, 'dist')),
  )
  for (const folder of folders.filter((each) => existsSync(each)))
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
      if (path.endsWith('.js')) hash.update(path).update(readFileSync(join(folder, path)))
  return hash.digest('hex').slice(0, 16)
}
