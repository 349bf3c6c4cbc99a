import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CONTENTS, contentRecord, LEAVES, leafRecord, RECORD, readLeafName } from '../contents/content-record.ts'
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

/** The folders and leaves of contents, relative to the data folder. */
async function contentsIn(folder: string): Promise<Set<string>> {
  const all = new Set<string>()
  for (const kind of [CONTENTS, LEAVES])
    for (const shelf of await readdir(join(folder, kind)).catch(() => []))
      for (const name of await readdir(join(folder, kind, shelf))) all.add(join(kind, shelf, name))
  return all
}

/** Bytes of a content: of a leaf, or of all that is in a folder. */
async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return found?.size ?? 0
  let bytes = 0
  for (const name of await readdir(path).catch(() => [])) bytes += (await stat(join(path, name))).size
  return bytes
}

/** Bytes of the contents that `to` does not have yet. */
export async function missingBytes(from: string, to: string): Promise<number> {
  const there = await contentsIn(to)
  let bytes = 0
  for (const path of await contentsIn(from)) {
    if (!there.has(path)) bytes += await bytesOf(join(from, path))
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
  for (const path of there) if (!wanted.has(path)) await rm(join(to, path), { recursive: true, force: true })
  for (const path of wanted) {
    signal.throwIfAborted()
    if (there.has(path)) continue
    await rm(draft, { recursive: true, force: true })
    const source = join(from, path)
    try {
      if ((await stat(source)).isDirectory()) await copyTree(source, draft)
      else await copySynced(source, draft)
      await verify(draft, basename(path))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS' || code === 'EACCES') throw error
      // The running node may have removed it meanwhile.
      if (await stat(source).catch(() => undefined)) result.damaged += 1
      continue
    }
    const target = join(to, path)
    await mkdir(join(target, '..'), { recursive: true })
    await rename(draft, target)
    await syncFolder(join(target, '..'))
    result.bytes += await bytesOf(target)
    result.contents += 1
    onCopied(result.bytes)
  }
  await rm(draft, { recursive: true, force: true })
  return result
}

/** @param name of the folder or leaf. @throws Error if the content is not complete and intact */
async function verify(path: string, name: string): Promise<void> {
  const leaf = readLeafName(name)
  if (leaf && (await stat(path)).size !== leaf.size) throw new Error('its size is not that of its name')
  const record = leaf
    ? leafRecord(leaf, 0)
    : contentRecord.parse(JSON.parse(await readFile(join(path, RECORD), 'utf8')))
  const content = (await openContent(path, record)).acquire()
  try {
    await verifyContent(content, async () => {})
  } finally {
    content.retire()
    content.release()
  }
}
