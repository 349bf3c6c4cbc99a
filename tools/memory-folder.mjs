// A folder in memory for what tests leave nobody: disks of shared machines may take seconds for what takes milliseconds here.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const TMPFS = 0x01021994
const PREFIX = 'tidenet-test-'
const GiB = 1024 ** 3
/** The tests of networks and browsers use less than one. */
const ROOM = 4 * GiB

/** @returns its path, gone when this program ends; undefined where there is too little memory, or programs cannot run there */
export function memoryFolder() {
  let folder
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    if (type !== TMPFS || bavail * bsize < ROOM || freemem() < 2 * ROOM) return undefined
    sweep()
    folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    // PostgreSQL runs as somebody else.
    chmodSync(folder, 0o1777)
    const program = join(folder, 'runs')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(program).status === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

/** What was killed has left its folder, and memory is dear. */
function sweep() {
  for (const name of readdirSync(MEMORY).filter((each) => each.startsWith(PREFIX))) {
    const owner = name.slice(PREFIX.length).split('-')[0]
    if (!existsSync(`/proc/${owner}`)) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}
