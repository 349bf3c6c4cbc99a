// Builds Pebble, a CA for tests, from its pinned sources.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { root, ToolError } from '../build.mjs'

const VERSION = 'v2.10.1'
/** The hash of the sources, as Go computes it: the same version always has the same sources. */
const SUM = 'h1:oKHx3lgN4e5Nno2LKTMrVx+b+NkDptkO9aDireiBDGE='

/**
 * The path of the program; it is built once, in less than a minute. Needs Go.
 * @throws ToolError
 */
export function ensurePebble() {
  const folder = join(root, '.cache', 'pebble')
  const program = join(folder, `pebble-${VERSION}`)
  if (existsSync(program)) return program
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
    throw new ToolError('Tests of certificates need Go 1.23 or newer, to build Pebble.')
  console.log(`Building Pebble ${VERSION}.`)
  mkdirSync(folder, { recursive: true })
  // The module's own list of versions pins everything that it is made of.
  const env = { ...process.env, GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' }
  const found = spawnSync('go', ['mod', 'download', '-json', `github.com/letsencrypt/pebble/v2@${VERSION}`], {
    cwd: folder,
    env: { ...env, GOFLAGS: '' },
    encoding: 'utf8',
  })
  const { Dir: sources, Sum: sum, Error: error } = JSON.parse(found.stdout || '{}')
  if (!sources) throw new ToolError(`The sources of Pebble could not be downloaded: ${error ?? found.stderr}`)
  if (sum !== SUM) throw new ToolError('The sources of Pebble are not the expected ones.')
  const draft = `${program}.${process.pid}.new`
  // Other work of the machine goes first.
  const built = spawnSync('nice', ['-n', '10', 'go', 'build', '-trimpath', '-o', draft, './cmd/pebble'], {
    cwd: sources,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) throw new ToolError('Pebble could not be built.')
  renameSync(draft, program)
  return program
}
