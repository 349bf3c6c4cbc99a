import { expect, it } from 'vitest'
import { archivePaths, encryptedPath } from './archive-paths.ts'

const bytes = (path: string) => Buffer.byteLength(path.split('/').at(-1) ?? '')
const paths = (...names: string[]) =>
  archivePaths(names.map((path) => ({ path, cid: 'bafy', assetType: 'file' }))).map(({ path }) => path)

it('has names as long as disks allow, although the account has longer ones', () => {
  const all = paths(
    `top/${'夏'.repeat(250)}.jpg`,
    `top/${'夏'.repeat(251)}.jpg`,
    `top/${'n'.repeat(255)}`,
    `${'夏'.repeat(255)}/a`,
  )
  expect(new Set(all).size).toBe(4)
  expect(all.flatMap((path) => path.split('/')).every((name) => Buffer.byteLength(name) <= 255)).toBe(true)
  expect(all.slice(0, 2).every((path) => path.endsWith('.jpg'))).toBe(true)
  expect(all[2]).toBe(`top/${'n'.repeat(255)}`)
  expect(bytes(encryptedPath(all[2] ?? ''))).toBe(255)
  expect(encryptedPath('top/a.txt')).toBe('top/a.txt.age')
})

it('numbers names that some disk treats as one', () => {
  expect(paths('a/b.txt', 'a/B.txt', 'a/b.txt')).toEqual(['a/b.txt', 'a/B (2).txt', 'a/b (3).txt'])
  expect(paths('A', 'a/b.txt')).toEqual(['A (2)', 'a/b.txt'])
})

it('keeps the name free that an encrypted file gets if its key does not fit', () => {
  const sealed = (path: string) => ({ path, cid: 'bafy', assetType: 'file' as const, encrypted: true })
  const plain = (path: string) => ({ path, cid: 'bafy', assetType: 'file' as const })
  const last = (end: string) => `${'n'.repeat(252)}${end}`
  for (const entries of [
    [sealed('a'), plain('a.age'), plain('A.AGE')],
    [plain('a.age'), sealed('a')],
    [sealed(last('one')), sealed(last('two'))],
  ]) {
    const written = archivePaths(entries).map(({ path, encrypted }) => (encrypted ? encryptedPath(path) : path))
    expect(new Set(written.map((path) => path.toLowerCase())).size).toBe(entries.length)
  }
})

it('never leaves the folder', () => {
  expect(paths('../../etc/passwd', '/root', '..', 'C:\\evil')).toEqual([
    '_/_/etc/passwd',
    'root',
    // `_` is the folder of another entry.
    '_ (2)',
    'C__evil',
  ])
})
