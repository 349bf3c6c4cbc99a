// Starts the bundled program, which lies beside this file, with the code that an earlier run compiled: it takes a fifth of a short command.
// Node.js has this built in from 22.1 on.
import './start-fast.ts'
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, Script } from 'node:vm'
import { configFolder } from './config-folder.ts'

const DIGEST_BYTES = 32
const path = fileURLToPath(new URL('./program.cjs', import.meta.url))
const source = Module.wrap(readFileSync(path, 'utf8'))
const cachePath = join(configFolder(), 'compiled.bin')

/** Of a cache and what it was compiled from: V8 itself compares only the length of a source, and reads a damaged cache. */
const digestOf = (code: Uint8Array): Buffer =>
  createHash('sha256').update(process.version).update(source).update(code).digest()

function readCache(): Buffer | undefined {
  try {
    // It is run: in a folder that others can write to, it must not be theirs.
    const opened = openSync(cachePath, 'r')
    const { uid, mode } = fstatSync(opened)
    const file = readFileSync(opened)
    closeSync(opened)
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined
    const code = file.subarray(DIGEST_BYTES)
    return digestOf(code).equals(file.subarray(0, DIGEST_BYTES)) ? code : undefined
  } catch {
    return undefined
  }
}

/** Readable only by its owner, as everything in this folder. Without the folder, there is no cache. */
function saveCache(code: Buffer): void {
  const draft = `${cachePath}.${process.pid}`
  try {
    writeFileSync(draft, Buffer.concat([digestOf(code), code]), { mode: 0o600, flag: 'wx' })
    renameSync(draft, cachePath)
  } catch {
    // The program works without.
  }
}

const cachedData = readCache()
const script = new Script(source, {
  filename: path,
  ...(cachedData && { cachedData }),
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})
// At the end, because then it has the functions that were used.
if (!cachedData || script.cachedDataRejected) process.on('exit', () => saveCache(script.createCachedData()))

const load = createRequire(path)
const program = new Module(path)
program.filename = path
// Parts that are loaded on demand import it.
load.cache[path] = program
script.runInThisContext()(program.exports, load, program, path, join(path, '..'))
