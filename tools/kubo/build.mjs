// Builds a Kubo node from its pinned sources, for tests of third-party replicas.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { root, ToolError } from '../build.mjs'

const VERSION = 'v0.42.0'
/** The hash of the sources, as Go computes it: the same version always has the same sources. */
const SUM = 'h1:mp40G/pAwckX54zJfIK3CTLK6S1Ae+Wa63g3I68W8cA='

/**
 * The path of the program; it is built once, which takes some minutes. Needs Go.
 * @throws ToolError
 */
export function ensureKubo() {
  const folder = join(root, '.cache', 'kubo')
  const program = join(folder, `ipfs-${VERSION}`)
  if (existsSync(program)) return program
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
    throw new ToolError('Tests with Kubo need Go 1.26 or newer, to build it.')
  console.log(`Building Kubo ${VERSION}.`)
  mkdirSync(folder, { recursive: true })
  // The module's own list of versions pins everything that it is made of.
  const env = { ...process.env, GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' }
  const found = spawnSync('go', ['mod', 'download', '-json', `github.com/ipfs/kubo@${VERSION}`], {
    cwd: folder,
    env: { ...env, GOFLAGS: '' },
    encoding: 'utf8',
  })
  const { Dir: sources, Sum: sum, Error: error } = JSON.parse(found.stdout || '{}')
  if (!sources) throw new ToolError(`The sources of Kubo could not be downloaded: ${error ?? found.stderr}`)
  if (sum !== SUM) throw new ToolError('The sources of Kubo are not the expected ones.')
  const draft = `${program}.${process.pid}.new`
  const built = spawnSync('go', ['build', '-trimpath', '-o', draft, './cmd/ipfs'], {
    cwd: sources,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) throw new ToolError('Kubo could not be built.')
  renameSync(draft, program)
  return program
}
