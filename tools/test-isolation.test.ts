import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = ['apps', 'packages', 'tools', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.test.ts') && !/node_modules|dist/.test(path))
  .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))
const using = (pattern: RegExp) => files.filter(({ source }) => pattern.test(source))
const named = (list: readonly { path: string }[]) => list.map(({ path }) => path)

/** Test files share modules and globals with the files before them, so what a file replaces must be put back. */
describe('a test file that replaces', () => {
  it('modules runs alone, or reloads them before and after', () => {
    const shared = using(/\bvi\.(mock|doMock|resetModules)\(/).filter(({ path }) => !path.endsWith('.isolated.test.ts'))
    const reloading = shared.filter(
      ({ source }) =>
        /vi\.hoisted\(\(\) => vi\.resetModules\(\)\)/.test(source) &&
        /afterAll\(\(\) => \{\s*vi\.resetModules\(\)/.test(source),
    )
    expect(named(shared)).toEqual(named(reloading))
    expect(shared.length).toBeLessThan(5)
  })

  it.each([
    ['globals', /vi\.stubGlobal\(/, /vi\.unstubAllGlobals\(/],
    ['environment variables', /vi\.stubEnv\(/, /vi\.unstubAllEnvs\(/],
    ['timers', /vi\.useFakeTimers\(/, /vi\.useRealTimers\(/],
    ['process listeners', /process\.on\(/, /process\.(off|removeListener)\(/],
  ])('%s puts them back', (_, replaces, restores) => {
    const replacing = using(replaces)
    expect(named(replacing)).toEqual(named(replacing.filter(({ source }) => restores.test(source))))
  })
})
