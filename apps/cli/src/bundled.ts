// Starts the bundled program beside this file with the code that an earlier run compiled. This saves about a sixth of the CPU time of a short command.
// From 22.1 on, Node.js has this built in.
import './start-fast.ts'
import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants as files,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, Module } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'
import { configFolder } from './config-folder.ts'

const DIGEST_BYTES = 32
/** Bytes; far more than the compiled program has. */
const CACHE_MAX = 64 << 20
const path = fileURLToPath(new URL('./program.cjs', import.meta.url))
const source = Module.wrap(readFileSync(path, 'utf8'))
const cachePath = pathOfCache()
const { arch, platform, version, versions } = process

/**
 * undefined for users without a home, or without the folder; most commands need none. Also in a folder of others, or that others can write to:
 * they could move any file of this user there. With an empty HOME, it would be one below the folder in which the program was started, such as
 * a clone of a repository.
 */
function pathOfCache(): string | undefined {
  try {
    const folder = configFolder()
    return isAbsolute(folder) && isOwn(statSync(folder), 0o022) ? join(folder, 'compiled.bin') : undefined
  } catch {
    return undefined
  }
}

/** Digest of compiled code and of what it was compiled from: V8 compares only the length of the source, and would run a damaged cache. */
const digestOf = (code: Uint8Array): Buffer =>
  createHash('sha256').update([version, versions.v8, platform, arch].join()).update(source).update(code).digest()

function readCache(): Buffer | undefined {
  if (cachePath === undefined) return undefined
  let opened: number | undefined
  try {
    // If others can write to the folder, a link could lead to any file of this user, and reading a pipe or device would never end. Windows has no such flags.
    opened = openSync(cachePath, files.O_RDONLY | (files.O_NOFOLLOW ?? 0) | (files.O_NONBLOCK ?? 0))
    const stats = fstatSync(opened)
    // In a folder of this user alone, it still may be a file that came from elsewhere: of an archive, or a download.
    const isCache =
      stats.isFile() && stats.size <= CACHE_MAX && isOwn(stats, 0o077) && (!process.getuid || stats.nlink === 1)
    return isCache ? codeIn(readFileSync(opened)) : undefined
  } catch {
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

/** @param others permissions that nobody else may have */
function isOwn({ uid, mode }: { uid: number; mode: number }, others: number): boolean {
  return !process.getuid || (uid === process.getuid() && (mode & others) === 0)
}

function codeIn(file: Buffer): Buffer | undefined {
  const code = file.subarray(DIGEST_BYTES)
  return digestOf(code).equals(file.subarray(0, DIGEST_BYTES)) ? code : undefined
}

/** Only the owner can read it, like everything in this folder. Without the folder, nothing is saved. */
function saveCache(): void {
  if (cachePath === undefined) return
  const draft = `${cachePath}.${randomUUID()}`
  try {
    const code = script.createCachedData()
    writeFileSync(draft, Buffer.concat([digestOf(code), code]), { mode: 0o600, flag: 'wx' })
    renameSync(draft, cachePath)
  } catch {
    // The program works without a cache. If the disk is full, each run would leave a draft.
    removeDraft(draft)
  }
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // The folder cannot be written to.
  }
}

const cachedData = readCache()
const script = new Script(source, {
  filename: path,
  ...(cachedData && { cachedData }),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
// Saved at the end, when V8 has compiled the functions that the command used.
if (!cachedData || script.cachedDataRejected) process.on('exit', saveCache)

const load = createRequire(path)
const program = new Module(path)
program.filename = path
// Parts that are loaded on demand import it.
load.cache[path] = program
script.runInThisContext()(program.exports, load, program, path, join(path, '..'))
