import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { ExpectedLeaf } from './leaf-checker.ts'

/** Answers with the number of valid leaves at the start of a piece. */
parentPort?.on('message', ({ id, bytes, leaves }: { id: number; bytes: Uint8Array; leaves: ExpectedLeaf[] }) => {
  let at = 0
  const bad = leaves.findIndex(({ size, digest }) => {
    const piece = bytes.subarray(at, at + size)
    at += size
    return !createHash('sha256').update(piece).digest().equals(digest)
  })
  parentPort?.postMessage({ id, good: bad < 0 ? leaves.length : bad })
})
