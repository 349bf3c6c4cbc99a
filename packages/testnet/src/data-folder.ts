import { mkdirSync, readlinkSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SHARED_FOLDER } from './postgres-account.ts'

/** The folder and what is in it, each readable by no more people than need be. */
export function makeDataFolder(dataDir: string): void {
  // Passable, not readable: PostgreSQL's own account has to get through to its cluster.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  mkdirSync(join(dataDir, 'secrets'), { recursive: true, mode: 0o700 })
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o750 })
}

/** Removes a data folder, and a cluster of it that had to be kept elsewhere. */
export function removeDataFolder(dataDir: string): void {
  try {
    const cluster = readlinkSync(join(dataDir, 'postgres'))
    if (cluster.startsWith(`${SHARED_FOLDER}/`)) rmSync(dirname(cluster), { recursive: true, force: true })
  } catch {
    // Its cluster is no link: it goes with the folder.
  }
  rmSync(dataDir, { recursive: true, force: true })
}
