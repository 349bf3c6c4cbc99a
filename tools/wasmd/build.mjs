// Builds wasmd, a chain with CosmWasm, from its pinned sources.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { arch } from 'node:os'
import { join } from 'node:path'
import { root, ToolError } from '../build.mjs'

const VERSION = 'v0.61.14'
/** The hash of the sources, as Go computes it: the same version always has the same sources. */
const SUM = 'h1:SUWM32AC/i1RiAedvJdCxR74YLzqZlwUD+9TRHCEUB4='
/** The one that wasmd names does not compile with Go 1.26. */
const SONIC = 'github.com/bytedance/sonic@v1.15.5'
/** Of the list of all modules and their hashes, with that one: it pins everything that the program is made of. */
const MODULES = '560c38d558e2c9f0c822517c4f9a573e42ca2392043db2c2a1566ecb628698cd'
/** Addresses begin with it; a setting of the build. */
const PREFIX = 'tide'

/**
 * The path of the program; it is built once, in 10 to 30 minutes, and needs Go 1.24 or newer and a C compiler. It finds its library beside
 * it.
 * @throws ToolError
 */
export function ensureWasmd() {
  const folder = join(root, '.cache', 'wasmd')
  const program = join(folder, `wasmd-${VERSION}`)
  if (existsSync(program)) return program
  for (const [needed, args] of [
    ['go', ['version']],
    ['cc', ['--version']],
  ])
    if (spawnSync(needed, args, { stdio: 'ignore' }).status !== 0)
      throw new ToolError('Tests on a real chain need Go 1.24 or newer and a C compiler, to build wasmd.')
  console.log(`Building wasmd ${VERSION}.`)
  mkdirSync(folder, { recursive: true })
  const { Dir: dir, Sum: sum, Error: error } = download(folder, `github.com/CosmWasm/wasmd@${VERSION}`)
  if (!dir) throw new ToolError(`The sources of wasmd could not be downloaded: ${error}`)
  if (sum !== SUM) throw new ToolError('The sources of wasmd are not the expected ones.')
  const sources = join(folder, `sources-${process.pid}`)
  const draft = `${program}.${process.pid}.new`
  try {
    copyWritable(dir, sources)
    go(sources, ['get', SONIC], { GOFLAGS: '-mod=mod' })
    const modules = createHash('sha256')
      .update(readFileSync(join(sources, 'go.sum')))
      .digest('hex')
    if (modules !== MODULES) throw new ToolError(`The modules of wasmd are not the expected ones: ${modules}`)
    copyLibrary(sources, folder)
    const ldflags = `-X github.com/CosmWasm/wasmd/app.Bech32Prefix=${PREFIX} -extldflags '-Wl,-rpath,$ORIGIN'`
    const env = { GOFLAGS: '-mod=readonly -buildvcs=false', CGO_ENABLED: '1' }
    go(sources, ['build', '-trimpath', '-tags', 'netgo', '-ldflags', ldflags, '-o', draft, './cmd/wasmd'], env)
    renameSync(draft, program)
  } finally {
    rmSync(sources, { recursive: true, force: true })
    rmSync(draft, { force: true })
  }
  return program
}

function download(cwd, module) {
  const { stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd,
    env: { ...process.env, GOFLAGS: '' },
    encoding: 'utf8',
  })
  return { Error: stderr, ...JSON.parse(stdout || '{}') }
}

/** The module cache is read-only. */
function copyWritable(from, to) {
  cpSync(from, to, { recursive: true })
  chmodSync(to, 0o755)
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

/** The virtual machine, a library in the module of its Go part. */
function copyLibrary(sources, folder) {
  const name = { x64: 'libwasmvm.x86_64.so', arm64: 'libwasmvm.aarch64.so' }[arch()]
  const { stdout } = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', 'github.com/CosmWasm/wasmvm/v3'], {
    cwd: sources,
    encoding: 'utf8',
  })
  if (!name || stdout.trim() === '') throw new ToolError('wasmd has no virtual machine for this computer.')
  copyFileSync(join(stdout.trim(), 'internal', 'api', name), join(folder, name))
}

function go(cwd, args, env) {
  // Other work of the machine goes first.
  const { status } = spawnSync('nice', ['-n', '10', 'go', ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new ToolError(`wasmd could not be built: go ${args[0]} failed.`)
}
