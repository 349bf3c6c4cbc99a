import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { UpdateProblem } from '@tidenet/contract'
import { syncFolder } from '../contents/durable.ts'
import type { Update } from './choose-update.ts'

/** An update that cannot be had now; `problem` is for the owner. */
export class UpdateFailed extends Error {
  readonly problem: UpdateProblem
  constructor(problem: UpdateProblem, message: string) {
    super(message)
    this.name = 'UpdateFailed'
    this.problem = problem
  }
}

const MANIFEST_BYTES_MAX = 256 * 1024
const SIGNATURE_BYTES_MAX = 1024
const ANSWER_MS = 30_000
/** A server that sends nothing for this long has failed. */
const SILENCE_MS = 60_000
/** Left free for records and other programs. */
const MARGIN_BYTES = 64 * 1024 * 1024

/** @returns undefined if the portal offers no signed release. @throws Error if it does not answer */
export async function fetchManifest(
  server: string,
  signal: AbortSignal,
): Promise<{ text: Buffer; signature: string } | undefined> {
  const get = async (name: string, most: number) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
    const answer = await fetch(`${server}/downloads/${name}`, { signal: limit, redirect: 'error' })
    if (answer.status === 404) return undefined
    if (!answer.ok || !answer.body) throw new Error(`the portal answered ${answer.status}`)
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of answer.body) {
      size += part.length
      if (size > most) throw new Error(`${name} is too long`)
      parts.push(part)
    }
    return Buffer.concat(parts)
  }
  const signature = await get('manifest.sig', SIGNATURE_BYTES_MAX)
  const text = signature && (await get('manifest.json', MANIFEST_BYTES_MAX))
  return text && { text, signature: signature.toString('utf8') }
}

/**
 * Has the file of an update at `path`, which is executable: its bytes are the signed ones, and on the disk.
 * @throws UpdateFailed; nothing is left at `path` then
 */
export async function fetchProgram(server: string, update: Update, path: string, signal: AbortSignal): Promise<void> {
  // From before a crash, or a start that failed.
  if ((await digestOf(path)) === update.sha256) return
  try {
    await rm(path, { force: true })
    const { bavail, bsize } = await statfs(dirname(path))
    if (bavail * bsize < update.size + MARGIN_BYTES)
      throw new UpdateFailed('space', 'the disk has no space for the new version')
    await download(`${server}/downloads/${update.file}`, update, path, signal)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    signal.throwIfAborted()
    throw asUpdateFailed(error)
  }
}

async function download(url: string, { size, sha256 }: Update, path: string, signal: AbortSignal): Promise<void> {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(new Error('the portal sends nothing')), SILENCE_MS)
  const handle = await open(path, 'wx', 0o700)
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, silent.signal]), redirect: 'error' })
    if (!answer.ok || !answer.body) throw new Error(`the portal answered ${answer.status}`)
    const hash = createHash('sha256')
    let received = 0
    for await (const part of answer.body) {
      timer.refresh()
      received += part.length
      if (received > size) throw new Error('the file is longer than signed')
      hash.update(part)
      await handle.writeFile(part)
    }
    if (received < size) throw new Error(`the file ended after ${received} of ${size} bytes`)
    if (hash.digest('hex') !== sha256) throw new Error('the file is not the signed one')
    await handle.sync()
  } finally {
    clearTimeout(timer)
    await handle.close()
  }
}

/** SHA-256 of a file, hex; undefined if there is none. */
export async function digestOf(path: string): Promise<string | undefined> {
  if (!(await stat(path).catch(() => undefined))?.isFile()) return undefined
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex')
}

function asUpdateFailed(error: unknown): UpdateFailed {
  if (error instanceof UpdateFailed) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return new UpdateFailed('space', message)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return new UpdateFailed('folder', message)
  return new UpdateFailed('download', message)
}
