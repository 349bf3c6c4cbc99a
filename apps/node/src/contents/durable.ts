import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes the entries of a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a small file so that after a crash there is the old one or the new one, never half of it. */
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
