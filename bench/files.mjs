// Files of random bytes for benchmarks, in a temporary folder that is deleted at the end.
import { randomFillSync } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from './measure.mjs'

/** A temporary folder, deleted when the process exits. */
export function workFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tidenet-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes `size` random bytes to a file and syncs it. */
export function randomFile(path, size) {
  const block = Buffer.allocUnsafe(MiB)
  const file = openSync(path, 'w')
  for (let left = size; left > 0; left -= block.length) writeSync(file, randomFillSync(block), 0, Math.min(left, MiB))
  fsyncSync(file)
  closeSync(file)
  return path
}

/** Makes a file new content without rewriting it: changes its first bytes, and shortens it by a few bytes. Returns the size. */
export function renew(path) {
  const file = openSync(path, 'r+')
  writeSync(file, randomFillSync(Buffer.allocUnsafe(16)), 0, 16, 0)
  const size = fstatSync(file).size - 7
  ftruncateSync(file, size)
  fsyncSync(file)
  closeSync(file)
  return size
}
