// npm run contracts: builds the contracts' wasm with Debian's Rust and LLD; --check runs their tests and compares the wasm with the one in
// the repository instead.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root, ToolError } from '../build.mjs'
import { aptInstall, mayInstall } from '../test/requirements.mjs'
import { usage } from '../usage.mjs'
import { CONTRACTS, folder, hashSources, output, record, sha256 } from './sources.mjs'

usage(
  'npm run contracts [-- --check]: builds the contracts to apps/chain/wasm; --check: runs their tests, builds them and compares every byte.',
)

/** The standard library is built, too: Debian has none for wasm, and chains refuse newer features of wasm that others contain. */
const PACKAGES = { rustc: 'rustc-web', cargo: 'cargo-web', 'wasm-ld': 'lld' }
const LIBRARY = 'rust-web-src'
/** Not those of rustup, whose versions differ from machine to machine. */
const BIN = '/usr/bin'
const TARGET = 'wasm32-unknown-unknown'
const target = join(root, '.cache', 'contracts')

try {
  ensureCompiler()
  const isCheck = process.argv.includes('--check')
  if (isCheck) cargo('test', '--locked')
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

function ensureCompiler() {
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => !existsSync(join(BIN, program)))
    .map(([, name]) => name)
  const hasLibrary = spawnSync('dpkg', ['-s', LIBRARY], { stdio: 'ignore' }).status === 0
  const wanted = [...missing, ...(hasLibrary ? [] : [LIBRARY])]
  if (wanted.length > 0 && (!mayInstall() || !aptInstall(wanted)))
    throw new ToolError(`Contracts are built with Debian's ${[...Object.values(PACKAGES), LIBRARY].join(', ')}.`)
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
  cargo('build', '--release', '--locked', '--lib', '--target', TARGET, '-Zbuild-std=std,panic_abort', ...packages)
  return join(target, TARGET, 'release')
}

function cargo(...args) {
  const env = {
    ...process.env,
    PATH: `${BIN}:/bin`,
    RUSTC: join(BIN, 'rustc'),
    // `-Z` options of a stable compiler.
    RUSTC_BOOTSTRAP: '1',
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: join(BIN, 'wasm-ld'),
    CARGO_TARGET_DIR: target,
  }
  const { status } = spawnSync(join(BIN, 'cargo'), args, { cwd: folder, env, stdio: 'inherit' })
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
