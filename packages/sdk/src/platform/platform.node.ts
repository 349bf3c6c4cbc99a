import { Writable } from 'node:stream'
import { ciphers } from './cipher.node.ts'
import { digest } from './digest.node.ts'
import { filePath, openFile, openPath } from './files.node.ts'
import { getInto } from './get-into.node.ts'
import { get, post, send } from './http.node.ts'
import { leafThreads } from './leaf-threads.node.ts'
import { memoryTarget } from './memory-target.ts'
import type { Platform } from './platform.ts'
import { receiptKey } from './receipt-key.node.ts'
import { fileResumeStore } from './resume-store.node.ts'

export const platform: Platform = {
  ciphers,
  send,
  get,
  getInto,
  post,
  receiptKey,
  digest,
  leafThreads,
  openPath,
  openFile,
  filePath,
  webStream: (stream) =>
    stream instanceof Writable ? (Writable.toWeb(stream) as WritableStream<Uint8Array>) : undefined,
  slice: Number.POSITIVE_INFINITY,
  memoryTarget: () => memoryTarget(),
  resumeStore: fileResumeStore,
  language: () => '',
}
