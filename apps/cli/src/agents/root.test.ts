import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, win32 } from 'node:path'
import { ToolError } from '@tidenet/contract/mcp/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPlainNames, isTooWide, isWithin, openRoot, type Root, realPathOf } from './root.ts'

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

describe('the folder of agents on Windows', () => {
  const asked = (path: string) => win32.resolve('C:\\work', path)

  it.each(['a.txt', 'inner\\a.txt', 'inner/../a.txt', 'C:\\work\\a.txt', 'console.txt', 'a.con', '..a.txt'])(
    'has %s',
    (path) => {
      expect(isWithin('C:\\work', asked(path), win32)).toBe(true)
      expect(hasPlainNames('C:\\work', asked(path), win32)).toBe(true)
    },
  )

  it.each([
    'D:\\secret.txt',
    'D:/secret.txt',
    'C:\\secret.txt',
    '\\secret.txt',
    '..\\secret.txt',
    'C:\\work-of-others\\a.txt',
    'C:\\WORK\\a.txt',
    '\\\\server\\share\\secret.txt',
    '\\\\?\\C:\\work\\a.txt',
    '\\\\.\\NUL',
  ])('does not have %s', (path) => {
    expect(isWithin('C:\\work', asked(path), win32)).toBe(false)
  })

  it.each([
    'NUL',
    'con.txt',
    'inner\\AUX',
    'COM1 .txt',
    'lpt¹',
    'CONIN$',
    'a.txt:stream',
    'a:b\\c.txt',
    'a.txt.',
    'a ',
  ])('has no file %j, which is a device, a stream or another name', (path) => {
    expect(hasPlainNames('C:\\work', asked(path), win32)).toBe(false)
  })

  it('does not limit names elsewhere', () => {
    expect(hasPlainNames('/work', '/work/con.txt:a', posix)).toBe(true)
  })
})

describe('too wide for an agent', () => {
  const places = { home: '/home/you', config: '/settings/tidenet' }
  const windows = { home: 'C:\\Users\\you', config: 'D:\\settings\\tidenet' }

  it.each(['/', '/home', '/home/you', '/settings', '/settings/tidenet', '/settings/tidenet/uploads'])(
    'is %s',
    (path) => {
      expect(isTooWide(path, places, posix)).toBe(true)
    },
  )

  it.each([
    'C:\\',
    'E:\\',
    '\\\\server\\share\\',
    'C:\\Users',
    'C:\\Users\\you',
    'D:\\settings',
    'D:\\settings\\tidenet',
  ])('is %s on Windows', (path) => expect(isTooWide(path, windows, win32)).toBe(true))

  it('is no folder beside them', () => {
    for (const path of ['/home/you/agent', '/settings/tidenet-agent', '/srv'])
      expect(isTooWide(path, places, posix)).toBe(false)
    for (const path of ['C:\\Users\\you\\agent', 'D:\\agent']) expect(isTooWide(path, windows, win32)).toBe(false)
  })

  it('is found behind links, also for a folder that does not exist yet', async () => {
    expect(await realPathOf(join(folder, 'up', 'config', 'tidenet'))).toBe(join(root.path, '..', 'config', 'tidenet'))
  })
})
