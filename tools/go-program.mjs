// Builds programs from the pinned sources of Go modules, for tests and benchmarks.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { root, ToolError } from './build.mjs'

export const hasGo = () => spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0

/**
 * @param program `name`; `module` and `version` of its sources; `sum`: their hash, as Go computes it: the same version always has the same
 *   sources; `path` of the package in the module; `folder` below `.cache`; `go`: the version of Go that it needs
 * @returns the path of the program; it is built once
 * @throws ToolError
 */
export function ensureGoProgram({ name, module, version, sum, path = '.', folder, go }) {
  const place = join(root, '.cache', folder)
  const program = join(place, `${name}-${version}`)
  if (existsSync(program)) return program
  if (!hasGo()) throw new ToolError(`${name} needs Go ${go} or newer, to be built.`)
  console.log(`Building ${name} ${version}.`)
  mkdirSync(place, { recursive: true })
  const found = spawnSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: place,
    env: { ...process.env, GOFLAGS: '' },
    encoding: 'utf8',
  })
  const { Dir: sources, Sum: downloaded, Error: error } = JSON.parse(found.stdout || '{}')
  if (!sources) throw new ToolError(`The sources of ${name} could not be downloaded: ${error ?? found.stderr}`)
  if (downloaded !== sum) throw new ToolError(`The sources of ${name} are not the expected ones.`)
  const draft = `${program}.${process.pid}.new`
  // Other work of the machine goes first.
  const built = spawnSync('nice', ['-n', '10', 'go', 'build', '-trimpath', '-o', draft, path], {
    cwd: sources,
    // The module's own list of versions pins everything that it is made of.
    env: { ...process.env, GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) throw new ToolError(`${name} could not be built.`)
  renameSync(draft, program)
  return program
}
