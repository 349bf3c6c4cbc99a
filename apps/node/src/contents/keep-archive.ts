import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Incoming } from './content-store.ts'
import { syncFolder } from './durable.ts'
import { writeSynced } from './keep-file.ts'

/** The name of a folder's archive in its folder on disk. */
export const ARCHIVE = 'archive.car'

/** An archive that was found to hold one whole folder. */
export interface CheckedArchive {
  root: string
  size: number
  blocks: number
  index: Buffer
}

export async function checkArchive(
  _source: Readable,
  _write: (chunk: Buffer) => Promise<void> | undefined,
  _options: { signal?: AbortSignal; root?: string | undefined },
): Promise<CheckedArchive> {
  throw new Error('not there yet')
}

/** Adds the index to an archive that lies synced in the folder, and makes it a content. */
export async function keepArchive(incoming: Incoming, archive: CheckedArchive): Promise<boolean> {
  const { root, size, blocks } = archive
  await writeSynced(join(incoming.folder, 'index'), [archive.index])
  await syncFolder(incoming.folder)
  return incoming.keep({ cid: root, kind: 'folder', size, blocks })
}
