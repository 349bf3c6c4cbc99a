// Seeds one fault at a time into a copy of the orders contract and runs its Rust tests, without those that compare it with the wasm. Every
// fault must be caught.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, root, ToolError } from '../build.mjs'
import { usage } from '../usage.mjs'
import { cargo, ensureCompiler } from './cargo.mjs'
import { faults } from './fault-list.mjs'
import { folder } from './sources.mjs'

usage(
  'node tools/contracts/faults.mjs [name...]: seeds each fault of tools/contracts/fault-list.mjs into the orders contract, or the given ones, and lists those that its tests did not catch.',
)

const TESTS = ['keys', 'migration', 'money', 'operator', 'tenant']
/** A fault may lead to a test without an end. Compilers take long beside other work, the first time most of all. */
const LONGEST_MS = { compile: 3_600_000, test: 300_000 }

const into = join(root, '.cache', 'contract-faults')
const wanted = process.argv.slice(2)
const copy = mkdtempSync(join(tmpdir(), 'tidenet-contract-faults-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
try {
  const unknown = wanted.filter((name) => !faults.some((fault) => fault.name === name))
  if (unknown.length > 0) throw new ToolError(`Unknown fault: ${unknown.join(', ')}.`)
  ensureCompiler()
  cpSync(folder, copy, { recursive: true })
  const before = test()
  if (before.outcome !== 'missed') throw new ToolError(`The tests fail without any fault: ${before.by ?? 'compiler'}`)
  const chosen = faults.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const missed = chosen.filter((fault) => seed(fault) !== 'caught')
  console.log(`\n${chosen.length - missed.length} of ${chosen.length} faults were caught.`)
  if (missed.length > 0) console.log(`Not caught: ${missed.map(({ name }) => name).join(', ')}`)
  process.exitCode = missed.length > 0 ? 1 : 0
} catch (error) {
  fail(error)
}

function seed({ name, file, find, replace }) {
  const path = join(copy, 'orders', 'src', file)
  const source = readFileSync(path, 'utf8')
  const start = Date.now()
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  const { outcome, by } = test()
  writeFileSync(path, source)
  const seconds = Math.round((Date.now() - start) / 1000)
  console.log(`${outcome.padEnd(7)} ${name}, ${seconds} s${by ? `, by ${by}` : ''}`)
  return outcome
}

/** @returns {{ outcome: 'caught' | 'missed' | 'unclear', by?: string }} unclear: it does not compile */
function test() {
  const args = ['test', '--locked', '--quiet', '-p', 'tidenet-orders', ...TESTS.flatMap((name) => ['--test', name])]
  const options = { into, stdio: 'pipe', encoding: 'utf8' }
  const compiled = cargo(copy, [...args, '--no-run'], { ...options, timeout: LONGEST_MS.compile })
  if (compiled.status !== 0) return { outcome: 'unclear' }
  const { status, stdout } = cargo(copy, args, { ...options, timeout: LONGEST_MS.test })
  if (status === 0) return { outcome: 'missed' }
  return { outcome: 'caught', by: /^ {4}(\w+)$/m.exec(stdout)?.[1] ?? 'time' }
}
