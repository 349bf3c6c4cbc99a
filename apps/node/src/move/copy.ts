import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { contentRecord } from '../contents/content-record.ts'
import { syncFolder } from '../contents/durable.ts'
import { openContent } from '../contents/open-content.ts'
import { verifyContent } from '../tasks/scrub.ts'

/** What a copy of the contents did. */
export interface Copied {
  contents: number
  bytes: number
  /** Contents whose bytes are not what they should be, or cannot be read: the network has other copies. */
  damaged: number
}

const BUFFER = 1 << 20

/** Copies a file; its bytes are on the disk when it resolves. */
async function copySynced(from: string, to: string): Promise<number> {
  const { mode } = await stat(from)
  const source = await open(from, 'r')
  let target: FileHandle | undefined
  try {
    target = await open(to, 'w', mode & 0o777)
    const buffer = Buffer.allocUnsafe(BUFFER)
    let size = 0
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, BUFFER)
      if (bytesRead === 0) break
      await target.writeFile(buffer.subarray(0, bytesRead))
      size += bytesRead
    }
    await target.sync()
    return size
  } finally {
    await source.close()
    await target?.close()
  }
}

/** Copies a folder with all that is in it; what `skip` names at its top is left out. */
export async function copyTree(from: string, to: string, skip: readonly string[] = []): Promise<void> {
  await mkdir(to, { recursive: true, mode: (await stat(from)).mode & 0o777 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (skip.includes(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile()) await copySynced(source, target)
  }
  await syncFolder(to)
}

/** The contents of a data folder as `shelf/cid`. */
async function contentsIn(folder: string): Promise<Set<string>> {
  const all = new Set<string>()
  for (const shelf of await readdir(join(folder, 'contents')).catch(() => []))
    for (const cid of await readdir(join(folder, 'contents', shelf))) all.add(join(shelf, cid))
  return all
}

/** Bytes of the contents that `to` does not have yet. */
export async function missingBytes(from: string, to: string): Promise<number> {
  const there = await contentsIn(to)
  let bytes = 0
  for (const path of await contentsIn(from)) {
    if (there.has(path)) continue
    const folder = join(from, 'contents', path)
    for (const name of await readdir(folder).catch(() => [])) bytes += (await stat(join(folder, name))).size
  }
  return bytes
}

/**
 * Copies the contents that `to` lacks, each verified and complete or absent, and removes those that `from` has no longer.
 * @param onCopied called with the bytes so far
 */
export async function copyContents(
  from: string,
  to: string,
  { signal, onCopied }: { signal: AbortSignal; onCopied: (bytes: number) => void },
): Promise<Copied> {
  const draft = join(to, 'incoming', 'move')
  const result: Copied = { contents: 0, bytes: 0, damaged: 0 }
  const [there, wanted] = [await contentsIn(to), await contentsIn(from)]
  for (const path of there)
    if (!wanted.has(path)) await rm(join(to, 'contents', path), { recursive: true, force: true })
  for (const path of wanted) {
    signal.throwIfAborted()
    if (there.has(path)) continue
    await rm(draft, { recursive: true, force: true })
    const source = join(from, 'contents', path)
    try {
      await copyTree(source, draft)
      await verifyFolder(draft)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS' || code === 'EACCES') throw error
      // The running node may have removed it meanwhile.
      if (await stat(source).catch(() => undefined)) result.damaged += 1
      continue
    }
    const target = join(to, 'contents', path)
    await mkdir(join(target, '..'), { recursive: true })
    await rename(draft, target)
    await syncFolder(join(target, '..'))
    for (const name of await readdir(target)) result.bytes += (await stat(join(target, name))).size
    result.contents += 1
    onCopied(result.bytes)
  }
  await rm(draft, { recursive: true, force: true })
  return result
}

/** @throws Error if the content in the folder is not complete and intact */
async function verifyFolder(folder: string): Promise<void> {
  const record = contentRecord.parse(JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')))
  const content = (await openContent(folder, record)).acquire()
  try {
    await verifyContent(content, async () => {})
  } finally {
    content.retire()
    content.release()
  }
}
