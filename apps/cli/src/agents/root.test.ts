import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolError } from '@tidenet/contract/mcp/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRoot, type Root } from './root.ts'

const place = mkdtempSync(join(tmpdir(), 'tidenet-root-'))
const folder = join(place, 'root')
let root: Root
beforeAll(async () => {
  mkdirSync(join(folder, 'inner'), { recursive: true })
  writeFileSync(join(folder, 'a.txt'), 'inside')
  writeFileSync(join(place, 'secret.txt'), 'outside')
  mkdirSync(join(place, 'root-of-others'))
  writeFileSync(join(place, 'root-of-others', 'b.txt'), 'outside')
  symlinkSync('../secret.txt', join(folder, 'link.txt'))
  symlinkSync('..', join(folder, 'up'))
  symlinkSync('a.txt', join(folder, 'alias.txt'))
  symlinkSync('../new.txt', join(folder, 'dangling.txt'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  root = await openRoot(folder)
})
afterAll(() => rmSync(place, { recursive: true }))

describe('the folder of agents', () => {
  it.each(['a.txt', './inner/../a.txt', 'alias.txt', join(folder, 'a.txt')])('lets %s be read', async (path) => {
    expect(await root.fileToRead(path)).toEqual({ path: join(root.path, 'a.txt'), size: 6 })
  })

  it('lets new files be written, and others replaced only on request', async () => {
    expect(await root.fileToWrite('inner/new.txt', false)).toBe(join(root.path, 'inner', 'new.txt'))
    await expect(root.fileToWrite('a.txt', false)).rejects.toThrow(ToolError)
    expect(await root.fileToWrite('a.txt', true)).toBe(join(root.path, 'a.txt'))
  })
})

describe('out of the folder of agents', () => {
  it.each([
    '../secret.txt',
    join(place, 'secret.txt'),
    '../root-of-others/b.txt',
    'link.txt',
    'up/secret.txt',
    'inner',
    'pipe',
    'a.txt\0',
    'missing.txt',
    '/dev/zero',
  ])('%j is not read', async (path) => {
    await expect(root.fileToRead(path)).rejects.toThrow(ToolError)
  })

  it.each(['../new.txt', 'up/new.txt', 'link.txt', 'dangling.txt', 'inner', 'pipe', '.', 'no/such/new.txt'])(
    '%j is not written, also if it may be replaced',
    async (path) => {
      await expect(root.fileToWrite(path, true)).rejects.toThrow(ToolError)
    },
  )

  it('a file cannot be the folder', async () => {
    await expect(openRoot(join(folder, 'a.txt'))).rejects.toThrow(ToolError)
  })
})
