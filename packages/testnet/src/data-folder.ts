import { mkdirSync, readlinkSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SHARED_FOLDER } from './postgres-account.ts'

/** Creates the folder and its subfolders, each with minimal permissions. */
export function makeDataFolder(dataDir: string): void {
  // Traversable but not readable: PostgreSQL's account must reach its cluster.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  mkdirSync(join(dataDir, 'secrets'), { recursive: true, mode: 0o700 })
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o750 })
}

/** Removes a data folder, and its cluster if that is stored elsewhere. */
export function removeDataFolder(dataDir: string): void {
  try {
    const cluster = readlinkSync(join(dataDir, 'postgres'))
    if (cluster.startsWith(`${SHARED_FOLDER}/`)) rmSync(dirname(cluster), { recursive: true, force: true })
  } catch {
    // The cluster is inside the folder.
  }
  rmSync(dataDir, { recursive: true, force: true })
}
