import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SHOW = `import { writeSync } from 'node:fs'
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  writeSync(1, found.url + '\\n')
  return found
}`

/** The modules loaded by importing the compiled package. */
async function loaded(): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(SHOW)}`
  const register = `data:text/javascript,${encodeURIComponent(`import { register } from 'node:module'; register(${JSON.stringify(hook)})`)}`
  const entry = join(import.meta.dirname, '../dist/index.js')
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', register, entry])
  return stdout.split('\n')
}

it('a program without encryption does not load the encryption code', async () => {
  const modules = await loaded()
  expect(modules.some((url) => url.includes('/multiformats/'))).toBe(true)
  expect(modules.filter((url) => /age-encryption|@noble|hash-wasm/.test(url))).toEqual([])
})
