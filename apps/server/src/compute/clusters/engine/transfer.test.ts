import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeStaleSpools } from './transfer.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spools-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function spoolOf(pid: number | string): string {
  const name = `spool-${pid}-abcdef`
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'file'), 'in transit')
  return name
}

it('files in transit of servers that ended are removed, those of others stay', () => {
  const { pid: ended } = spawnSync(process.execPath, ['-e', ''])
  const other = spoolOf(process.ppid)
  // Its own are of a server before it with the same id, as in containers.
  for (const pid of [ended, process.pid, 'former']) spoolOf(pid)
  mkdirSync(join(folder, 'something else'))
  removeStaleSpools(folder)
  expect(readdirSync(folder).sort()).toEqual(['something else', other])
})

it('a machine without copies needs no folder', () => {
  removeStaleSpools(join(folder, 'none'))
  expect(readdirSync(folder)).toEqual([])
})
