import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const playwright = join(root, 'node_modules/@playwright/test/cli.js')

// `npm test` never reads the tests that only the long suite has: two with the same title would stop it before its first test.
it('all browser tests of the long suite can be listed', { tags: ['long'], timeout: 300_000 }, async () => {
  const env = { ...process.env, TIDENET_TEST_VIEWS: 'all' }
  const { stdout } = await promisify(execFile)(process.execPath, [playwright, 'test', '--list'], { cwd: root, env })
  expect(Number(/^Total: (\d+) tests/m.exec(stdout)?.[1])).toBeGreaterThan(300)
})
