import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { mountsBelow, removeData } from './remove-data.mjs'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'remove-data-')))
afterAll(() => rmSync(top, { recursive: true, force: true }))

it('finds what is mounted below a folder, the innermost first, and nothing beside it', () => {
  const mounts = [
    'overlay / overlay rw 0 0',
    '/dev/loop0 /a/data/clusters/disks/s ext4 rw 0 0',
    '/dev/loop1 /a/data/clusters/disks/s/w\\040x ext4 rw 0 0',
    'tmpfs /a/database tmpfs rw 0 0',
  ].join('\n')
  expect(mountsBelow(mounts, '/a/data')).toEqual(['/a/data/clusters/disks/s/w x', '/a/data/clusters/disks/s'])
})

it('deletes a folder, also one that does not exist', () => {
  const folder = join(top, 'plain')
  mkdirSync(join(folder, 'nodes'), { recursive: true })
  writeFileSync(join(folder, 'nodes', 'file'), 'x')
  expect(removeData(folder)).toBeUndefined()
  expect(removeData(folder)).toBeUndefined()
  expect(existsSync(folder)).toBe(false)
})

it('refuses a folder that a process uses', () => {
  const folder = join(top, 'used')
  mkdirSync(folder)
  writeFileSync(join(folder, 'network.lock'), JSON.stringify({ holder: { pid: process.pid } }))
  expect(removeData(folder)).toContain(String(process.pid))
  expect(existsSync(folder)).toBe(true)
})

it('unmounts what a killed server left, before it deletes anything', () => {
  const folder = join(top, 'mounted')
  const point = join(folder, 'clusters', 'disks', 'one')
  mkdirSync(point, { recursive: true })
  // Only root can mount.
  if (spawnSync('mount', ['-t', 'tmpfs', 'none', point]).status !== 0) return
  writeFileSync(join(point, 'file'), 'x')
  expect(removeData(folder)).toBeUndefined()
  expect(existsSync(folder)).toBe(false)
})
