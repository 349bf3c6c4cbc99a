// npm run contracts: builds the contracts' wasm with Debian's Rust and LLD; --check runs their tests and compares the wasm with the one in
// the repository instead.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ToolError } from '../build.mjs'
import { usage } from '../usage.mjs'
import { BIN, cargo, ensureCompiler, target } from './cargo.mjs'
import { CONTRACTS, folder, hashSources, output, record, sha256 } from './sources.mjs'

usage(
  'npm run contracts [-- --check]: builds the contracts to apps/chain/wasm; --check: runs their tests, builds them and compares every byte.',
)

const TARGET = 'wasm32-unknown-unknown'

try {
  ensureCompiler()
  const isCheck = process.argv.includes('--check')
  // With the tables of what was accepted and refused.
  if (isCheck) run('test', '--locked', '--', '--show-output')
  const built = build()
  const compiler = { rustc: versionOf('rustc'), linker: versionOf('wasm-ld') }
  const wasm = Object.entries(CONTRACTS).map(([name, file]) => [file, join(built, `${name.replace('-', '_')}.wasm`)])
  const made = Object.fromEntries(wasm.map(([file, path]) => [file, sha256(readFileSync(path))]))
  if (isCheck) check(compiler, made)
  else {
    mkdirSync(output, { recursive: true })
    for (const [file, path] of wasm) copyFileSync(path, join(output, file))
    writeFileSync(record, `${JSON.stringify({ ...compiler, sources: hashSources(), sha256: made }, null, 2)}\n`)
    console.log(`Wrote ${Object.keys(made).join(' and ')} to apps/chain/wasm.`)
  }
} catch (error) {
  fail(error)
}

/** @returns the folder of the wasm */
function build() {
  process.env.RUSTFLAGS = [
    // Only the features that every chain accepts.
    '-Ctarget-cpu=mvp',
    '-Clink-arg=-s',
    // The chain provides these functions.
    '-Clink-arg=--allow-undefined',
    // Messages of panics name the files of this machine otherwise.
    '-Zlocation-detail=none',
  ].join(' ')
  const packages = Object.keys(CONTRACTS).flatMap((name) => ['-p', name])
  run('build', '--release', '--locked', '--lib', '--target', TARGET, '-Zbuild-std=std,panic_abort', ...packages)
  return join(target, TARGET, 'release')
}

function run(...args) {
  const { status } = cargo(folder, args)
  if (status !== 0) throw new ToolError(`cargo ${args[0]} failed.`)
}

function versionOf(program) {
  return spawnSync(join(BIN, program), ['--version'], { encoding: 'utf8' }).stdout.trim()
}

function check(compiler, made) {
  const recorded = JSON.parse(readFileSync(record, 'utf8'))
  for (const [name, version] of Object.entries(compiler))
    if (recorded[name] !== version)
      throw new ToolError(`The wasm was built by ${recorded[name]}; here is ${version}, whose output may differ.`)
  for (const [file, hash] of Object.entries(made))
    if (recorded.sha256[file] !== hash)
      throw new ToolError(`${file}: built ${hash}, recorded ${recorded.sha256[file]}.`)
  console.log(`${Object.keys(made).join(' and ')}: the same bytes.`)
}
