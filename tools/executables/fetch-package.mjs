// Fetches a package of the npm registry and unpacks it, if its bytes are the expected ones.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, ToolError } from '../build.mjs'

const cache = join(root, '.cache', 'executables', 'packages')

/**
 * The folder of an unpacked package; it is fetched once.
 * @throws ToolError if the registry does not answer, or sends other bytes than those of `integrity`
 */
export function fetchPackage({ package: name, version, integrity }) {
  const folder = join(cache, `${name}-${version}`)
  const archives = join(cache, 'archives')
  mkdirSync(archives, { recursive: true })
  const archive = join(archives, `${name}-${version}.tgz`)
  if (!existsSync(archive)) download(name, version, archives, archive)
  requireIntegrity(archive, integrity)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  run('tar', ['-xzf', archive, '-C', draft, '--strip-components=1'], `${archive} could not be unpacked.`)
  renameSync(draft, folder)
  return folder
}

function download(name, version, folder, archive) {
  console.log(`Fetching ${name} ${version}.`)
  const draft = join(folder, `${process.pid}`)
  mkdirSync(draft, { recursive: true })
  const args = ['pack', `${name}@${version}`, '--pack-destination', draft, '--loglevel=error']
  run('npm', args, `${name} ${version} could not be fetched from the npm registry.`)
  const [file] = readdirSync(draft)
  if (!file) throw new ToolError(`npm pack wrote no archive of ${name} ${version}.`)
  renameSync(join(draft, file), archive)
  rmSync(draft, { recursive: true })
}

/** @throws ToolError if the file has another digest; it is removed then */
export function requireIntegrity(path, integrity) {
  const [algorithm, expected] = integrity.split(/-(.*)/s)
  const digest = createHash(algorithm).update(readFileSync(path)).digest('base64')
  if (digest === expected) return
  rmSync(path)
  throw new ToolError(`${path} has the digest ${algorithm}-${digest} instead of ${integrity}. It was removed.`)
}

export function run(command, args, failure, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new ToolError(`${failure} ${error?.message ?? `${stdout ?? ''}\n${stderr ?? ''}`}`.trim())
  return stdout
}
