// Installs dependencies, compiles packages and builds the web app, each only if it is out of date.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...path) => join(root, ...path)

/** An error that users can fix; printed without a stack trace. */
export class ToolError extends Error {}

/** Prints the error and exits with status 1. */
export function fail(error) {
  console.error(error instanceof ToolError ? error.message : error)
  process.exit(1)
}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new ToolError(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`)
}

/** Runs `npm ci` if the installed packages differ from package-lock.json. */
export function ensureInstalled() {
  const lock = readFileSync(at('package-lock.json'), 'utf8')
  const stamp = at('node_modules', '.tidenet-lock')
  const hash = sha256(lock)
  if (read(stamp) === hash) return
  if (!matchesInstalled(JSON.parse(lock))) {
    console.log('Installing dependencies (npm ci).')
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed.')
  }
  writeFileSync(stamp, hash)
}

/** Whether a manual install left every package of the lock file in its version. */
function matchesInstalled(lock) {
  const installed = JSON.parse(read(at('node_modules', '.package-lock.json')) ?? '{"packages":{}}').packages
  return Object.entries(lock.packages).every(
    ([path, { version, optional, devOptional, link, peer }]) =>
      !path.startsWith('node_modules/') ||
      optional ||
      devOptional ||
      peer ||
      (link ? existsSync(at(path)) : installed[path]?.version === version),
  )
}

/** Compiles the given packages and apps, by default all; takes up to a second if nothing changed. */
export function compile(...folders) {
  run(
    process.execPath,
    [at('node_modules', 'typescript7', 'bin', 'tsc'), '-b', ...folders],
    'The code does not compile.',
  )
}

const WEB_INPUTS = [
  'apps/web',
  'packages/contract/src',
  'packages/content/src',
  'packages/sdk/src',
  'packages/chain-client/src',
  'packages/receipts/src',
]
const NOT_INPUTS = new Set(['node_modules', 'dist', 'dist-types', '.cache'])

/** Builds the web app if one of its inputs changed since the last build. */
export function buildWeb() {
  const { scripts } = JSON.parse(readFileSync(at('apps/web/package.json'), 'utf8'))
  if (!scripts?.build) return
  const stamp = at('.cache', 'web-inputs')
  const hash = hashFiles([...WEB_INPUTS.flatMap((folder) => files(at(folder))), at('package-lock.json')])
  if (read(stamp) === hash && existsSync(at('apps/web/dist/index.html'))) return
  console.log('Building the web app.')
  run('npm', ['run', 'build', '-w', '@tidenet/web', '--silent'], 'The web app does not build.')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

function run(command, args, failure) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new ToolError(`${failure}${error ? ` ${error.message}` : ''}`)
}

export function files(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_INPUTS.has(entry.name) || entry.name.endsWith('.tsbuildinfo')) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? files(path) : entry.isFile() ? [path] : []
  })
}

/** One hash of the paths and contents of files; tests are ignored. */
export function hashFiles(paths) {
  const hash = createHash('sha256')
  for (const path of paths.sort()) {
    if (/\.test\.tsx?$/.test(path)) continue
    const bytes = readFileSync(path)
    hash.update(`${relative(root, path)}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex')
}

/** The text of a file, or undefined if it cannot be read. */
export function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
