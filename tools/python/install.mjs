// Installs Python packages for tests of generated clients.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../build.mjs'

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** The folder with the programs of the packages, which are installed once; undefined without Python 3.10 or pip. */
export function ensurePython() {
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16)
  const folder = join(root, '.cache', 'python', hash)
  const programs = join(folder, 'bin')
  const ready = join(folder, 'ready')
  if (existsSync(ready)) return programs
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, '..'), { recursive: true })
  const run = (program, ...args) => spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  const installed =
    run('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))') &&
    run('python3', '-m', 'venv', folder) &&
    run(join(programs, 'python'), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS)
  if (!installed) return undefined
  mkdirSync(`${ready}.new`)
  renameSync(`${ready}.new`, ready)
  return programs
}
