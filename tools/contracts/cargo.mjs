// Debian's cargo, with the contracts' own folder for what it builds.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, ToolError } from '../build.mjs'
import { aptInstall, mayInstall } from '../test/requirements.mjs'

/** The standard library is built, too: Debian has none for wasm, and chains refuse newer features of wasm that others contain. */
const PACKAGES = { rustc: 'rustc-web', cargo: 'cargo-web', 'wasm-ld': 'lld' }
const LIBRARY = 'rust-web-src'
/** Not those of rustup, whose versions differ from machine to machine. */
export const BIN = '/usr/bin'
/** What cargo builds. */
export const target = join(root, '.cache', 'contracts')

export function ensureCompiler() {
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => !existsSync(join(BIN, program)))
    .map(([, name]) => name)
  const hasLibrary = spawnSync('dpkg', ['-s', LIBRARY], { stdio: 'ignore' }).status === 0
  const wanted = [...missing, ...(hasLibrary ? [] : [LIBRARY])]
  if (wanted.length > 0 && (!mayInstall() || !aptInstall(wanted)))
    throw new ToolError(`Contracts are built with Debian's ${[...Object.values(PACKAGES), LIBRARY].join(', ')}.`)
}

/**
 * @param {string} cwd the folder of a workspace
 * @param {string[]} args
 * @param {import('node:child_process').SpawnSyncOptions & { into?: string }} options `into`: the folder for what it builds. Each workspace
 *   needs its own: cargo takes what another one built for the same package if it is newer than the source.
 */
export function cargo(cwd, args, { into = target, ...options } = {}) {
  const env = {
    ...process.env,
    PATH: `${BIN}:/bin`,
    RUSTC: join(BIN, 'rustc'),
    // `-Z` options of a stable compiler.
    RUSTC_BOOTSTRAP: '1',
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: join(BIN, 'wasm-ld'),
    CARGO_TARGET_DIR: into,
  }
  return spawnSync(join(BIN, 'cargo'), args, { cwd, env, stdio: 'inherit', ...options })
}
