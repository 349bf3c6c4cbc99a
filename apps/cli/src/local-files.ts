import { createReadStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { createFileHasher } from '@tidenet/content'
import type { AssetType } from '@tidenet/contract'
import { Failed } from './failed.ts'
import { reasonOf } from './output.ts'
import { texts } from './texts.ts'

/** Whether there is something at a path, and how large a file it is; folders have no size. */
export async function lookAt(path: string): Promise<{ kind: AssetType; size: number } | undefined> {
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
