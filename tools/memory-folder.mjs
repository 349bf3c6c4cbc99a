// A temporary folder in memory for tests, because disks of shared machines are slow.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const TMPFS = 0x01021994
const PREFIX = 'tidenet-test-'
const GiB = 1024 ** 3
/** Network and browser tests use less than 1 GiB. */
const FREE_SPACE_MIN = 4 * GiB

/** @returns its path, deleted when this process exits; undefined if there is too little memory, or programs cannot run there */
export function memoryFolder() {
  let folder
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    if (type !== TMPFS || bavail * bsize < FREE_SPACE_MIN || freemem() < 2 * FREE_SPACE_MIN) return undefined
    deleteLeftovers()
    folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    // PostgreSQL runs as another user.
    chmodSync(folder, 0o1777)
    const program = join(folder, 'runs')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(program).status === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

/** Deletes folders of killed processes. */
function deleteLeftovers() {
  for (const name of readdirSync(MEMORY).filter((each) => each.startsWith(PREFIX))) {
    const owner = name.slice(PREFIX.length).split('-')[0]
    if (!existsSync(`/proc/${owner}`)) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}
