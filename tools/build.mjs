// What has to be made before anything can run: dependencies, compiled packages, the web app. Each only when it is stale.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...path) => join(root, ...path)

/** Something the person can put right; printed alone. */
export class ToolError extends Error {}

/** Ends a tool with the message of a ToolError, or the stack of anything else. */
export function fail(error) {
  console.error(error instanceof ToolError ? error.message : error)
  process.exit(1)
}

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new ToolError(`Node.js 20.19 or newer is needed; this is ${process.versions.node}.`)
}

/** Installs exactly what package-lock.json says, unless that is what is there. */
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

/** Whether an install by hand left every package that the lock asks for, in its version. */
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

/** Compiles every package and app; a second or less when nothing changed. */
export function compile() {
  run(process.execPath, [at('node_modules', 'typescript7', 'bin', 'tsc'), '-b'], 'The code does not compile.')
}

const WEB_INPUTS = [
  'apps/web',
  'packages/contract/src',
  'packages/content/src',
  'packages/sdk/src',
  'packages/chain-client/src',
]
const NOT_INPUTS = new Set(['node_modules', 'dist', 'dist-types', '.cache'])

/** Builds the web app when one of its inputs changed since the last build. */
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

/** One number for the contents of files; tests do not count. */
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

/** The text of a file, or nothing where there is none. */
export function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
