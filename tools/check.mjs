// npm run check: everything that can be checked without running the code.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { root } from './build.mjs'
import { usage } from './usage.mjs'

usage('npm run check: compiles, lints, checks imports, and compares generated files with the contract.')

const bin = (name, file) => join(root, 'node_modules', name, 'bin', file)
const compile = { name: 'packages and apps compile', args: [bin('typescript7', 'tsc'), '-b'] }
const checks = [
  { name: 'tests compile', args: [bin('typescript7', 'tsc'), '-p', 'tsconfig.test.json'] },
  { name: 'tests of the web app compile', args: [bin('typescript7', 'tsc'), '-p', 'apps/web/tsconfig.test.json'] },
  { name: 'format and lint', args: [bin('@biomejs/biome', 'biome'), 'ci', '--colors=off', '.'] },
  { name: 'import directions', args: ['tools/import-direction.mjs'] },
  { name: 'one owner per table', args: ['tools/tables/main.mjs'] },
  {
    name: 'no dependency cycles',
    args: [bin('dependency-cruiser', 'dependency-cruise.mjs'), '--config=.dependency-cruiser.cjs', 'apps', 'packages'],
  },
  { name: 'no unused code', args: [bin('knip', 'knip.js')] },
  { name: 'generated API documents are up to date', args: ['tools/print-api.mjs', '--check'] },
].filter(({ args }) => !args[0].startsWith('tools/') || existsSync(join(root, args[0])))

const start = Date.now()
// First, because the tests import the compiled packages.
const results = [await run(compile)]
// Tests do not compile without the packages; the same errors three times help nobody.
if (!results[0]) checks.splice(0, checks.length, ...checks.filter(({ name }) => !name.includes('compile')))
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), 4) }, async () => {
    for (let check = checks.shift(); check; check = checks.shift()) results.push(await run(check))
  }),
)
const failed = results.filter((passed) => !passed).length
console.log(`check: ${results.length - failed} of ${results.length} passed in ${seconds(start)}`)
process.exitCode = failed === 0 ? 0 : 1

function run({ name, args }) {
  const start = Date.now()
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(start)})`)
      if (code !== 0 && output.trim()) console.log(output.trimEnd().replace(/^/gm, '     '))
      resolve(code === 0)
    })
  })
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}
