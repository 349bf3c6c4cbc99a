import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Syncs a folder, so that its entries survive a power failure. Windows cannot do this; there, the journal of the file system must suffice. */
export async function syncFolder(path: string, platform = process.platform): Promise<void> {
  if (platform !== 'win32') await sync(path, 'r')
}

/** Syncs a file that is already written. Windows syncs only files that are open for writing. */
export const syncFile = (path: string): Promise<void> => sync(path, 'r+')

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a file atomically: after a crash there is the old or the new version. */
export async function writeDurably(
  path: string,
  text: string | Uint8Array | AsyncIterable<string>,
  mode = 0o644,
): Promise<void> {
  const temporary = `${path}.new`
  const handle = await open(temporary, 'w', mode)
  try {
    // Each part is written after the one before.
    for await (const part of isWhole(text) ? [text] : text) await handle.writeFile(part)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

const isWhole = (text: string | Uint8Array | AsyncIterable<string>): text is string | Uint8Array =>
  typeof text === 'string' || text instanceof Uint8Array

export function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
