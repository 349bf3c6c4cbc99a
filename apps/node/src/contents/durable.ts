import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Syncs a folder, so that its entries survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a small file atomically: after a crash there is the old or the new version. */
export async function writeDurably(path: string, text: string | Uint8Array, mode = 0o644): Promise<void> {
  const temporary = `${path}.new`
  const handle = await open(temporary, 'w', mode)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

export function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
