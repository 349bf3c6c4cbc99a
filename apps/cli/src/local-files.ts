import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { checkName, createFileHasher, readTar } from '@tidenet/content'
import { Failed } from './failed.ts'
import { reasonOf } from './output.ts'
import { texts } from './texts.ts'

/** Whether there is something at a path, and how large a file it is; folders have no size. */
export async function lookAt(path: string): Promise<{ kind: 'file' | 'folder'; size: number } | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && { kind: found.isDirectory() ? 'folder' : 'file', size: found.isDirectory() ? 0 : found.size }
}

/** Makes a folder with those above it. @throws Failed */
export async function makeLocalFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw new Failed(texts.cannotWrite(path, reasonOf(error)))
  })
}

/** The CID that the file has in the network. */
export async function cidOf(path: string): Promise<string> {
  const hasher = createFileHasher()
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) await hasher.update(chunk as Buffer)
  return (await hasher.finish()).cid.toString()
}

/**
 * Unpacks the tar of a folder, whose own name comes first in it, to `folder`: beside it, then put in its place, so that what stands there is
 * whole. A folder that is there is written into. Names that would leave the folder are refused.
 */
export async function unpack(tar: AsyncIterable<Uint8Array>, folder: string): Promise<{ files: number }> {
  const isThere = (await lookAt(folder)) !== undefined
  const place = isThere ? folder : join(dirname(folder), `.${basename(folder)}.${process.pid}.part`)
  let files = 0
  try {
    await mkdir(place, { recursive: true })
    for await (const entry of readTar(tar)) {
      const [, ...names] = entry.name.replace(/\/$/, '').split('/')
      for (const name of names) checkName(name)
      const path = join(place, ...names)
      if (entry.kind === 'directory') await mkdir(path, { recursive: true })
      if (entry.kind !== 'file' || names.length === 0) continue
      await mkdir(dirname(path), { recursive: true })
      const file = await open(path, 'w')
      try {
        for await (const piece of entry.body) await file.write(piece)
      } finally {
        await file.close()
      }
      files++
    }
    if (!isThere) await rename(place, folder)
    return { files }
  } catch (error) {
    if (!isThere) await rm(place, { recursive: true, force: true })
    throw error
  }
}
