import { createReadStream, readFileSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { createFileHasher } from '@tidenet/content'
import type { AssetType } from '@tidenet/contract'
import { CommandError } from './command-error.ts'
import { reasonOf } from './output.ts'
import { texts } from './texts.ts'

/** Kind and size of a path; undefined if it does not exist. Folders have size 0. */
export async function statPath(path: string): Promise<{ kind: AssetType; size: number } | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && { kind: found.isDirectory() ? 'folder' : 'file', size: found.isDirectory() ? 0 : found.size }
}

/** Creates a folder and its parents. @throws CommandError */
export async function makeLocalFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: unknown) => {
    throw new CommandError(texts.cannotWrite(path, reasonOf(error)))
  })
}

/** Computes the CID of a file. */
export async function cidOf(path: string): Promise<string> {
  const hasher = createFileHasher()
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) await hasher.update(chunk as Buffer)
  return (await hasher.finish()).cid.toString()
}

/** @throws CommandError 'notFound' */
export function readLocalText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new CommandError(texts.noSuchLocal(path), 'notFound')
  }
}
