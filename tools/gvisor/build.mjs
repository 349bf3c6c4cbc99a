// Builds runsc, the container runtime of gVisor, from its pinned sources.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, root, ToolError } from '../build.mjs'

/** Of the branch `go`, which holds the generated sources. */
const VERSION = 'v0.0.0-20260905035102-160fafc42237'
/** The hash of the sources, as Go computes it: the same version always has the same sources. */
const SUM = 'h1:AU5+CtCvnBnxdZRNcZt1NfSLqgkXZVT3N/u6u1aXg44='

/**
 * The path of the program; it is built once, in about ten minutes of two cores. Needs Go.
 * @throws ToolError
 */
export function ensureRunsc() {
  const folder = join(root, '.cache', 'gvisor', VERSION)
  const program = join(folder, 'runsc')
  if (existsSync(program)) return program
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
    throw new ToolError('Tests of gVisor need Go 1.24 or newer, to build runsc.')
  console.log(`Building runsc ${VERSION}, which takes about ten minutes.`)
  mkdirSync(folder, { recursive: true })
  const env = { ...process.env, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' }
  const go = (args, options = {}) =>
    // Other work of the machine goes first.
    spawnSync('nice', ['-n', '10', 'go', ...args], { cwd: folder, env, encoding: 'utf8', ...options })
  writeFileSync(join(folder, 'go.mod'), `module tidenet/gvisor\n\ngo 1.24\n\nrequire gvisor.dev/gvisor ${VERSION}\n`)
  const found = go(['mod', 'download', '-json', `gvisor.dev/gvisor@${VERSION}`])
  const { Dir: sources, Sum: sum, Error: error } = JSON.parse(found.stdout || '{}')
  if (!sources) throw new ToolError(`The sources of gVisor could not be downloaded: ${error ?? found.stderr}`)
  if (sum !== SUM) throw new ToolError('The sources of gVisor are not the expected ones.')
  const draft = `${program}.${process.pid}.new`
  const built = go(['build', '-trimpath', '-ldflags', '-s -w', '-o', draft, 'gvisor.dev/gvisor/runsc'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) throw new ToolError('runsc could not be built.')
  renameSync(draft, program)
  return program
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(ensureRunsc())
  } catch (error) {
    fail(error)
  }
}
