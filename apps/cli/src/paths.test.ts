import { describe, expect, it } from 'vitest'
import { isCid, joinPath, localName, namesIn, splitPath, withMark } from './paths.ts'

describe('a path of the account', () => {
  it.each([
    ['/', []],
    ['', []],
    ['a/b', ['a', 'b']],
    ['/a//b/./c/', ['a', 'b', 'c']],
    ['/夏 天/x.jpg', ['夏 天', 'x.jpg']],
  ])('%j leads over %j', (path, names) => expect(namesIn(path)).toEqual(names))

  it.each([
    ['/', undefined],
    ['a', { folder: '/', name: 'a' }],
    ['/a/b/c', { folder: '/a/b', name: 'c' }],
    ['a/b/', { folder: '/a', name: 'b' }],
  ])('%j is split', (path, parts) => expect(splitPath(path)).toEqual(parts))

  it('is reassembled', () => {
    expect(joinPath('/', 'a')).toBe('/a')
    expect(joinPath('/a/', 'b')).toBe('/a/b')
  })

  it.each([
    ['bafybeiaf2dhqwahaoshygpm6qfgrhkyx22cdv3m7kq6bdhrkqvsgr6d44q', true],
    ['bafkreih4xg7shvc4kaxqzckfn2otahnr73odui23qorfe54hxecmlgwfmi', true],
    ['QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG', true],
    ['bafoon', false],
    ['/bafybeiaf2dhqwahaoshygpm6qfgrhkyx22cdv3m7kq6bdhrkqvsgr6d44q', false],
  ])('%s may be a CID: %s', (text, is) => expect(isCid(text)).toBe(is))
})

describe('a name on this disk', () => {
  it('does not change', () => {
    expect(localName('夏 天.jpg')).toBe('夏 天.jpg')
    expect(localName('.env')).toBe('.env')
  })

  it('is marked when it is taken', () => {
    expect(withMark('a.txt', '2')).toBe('a (2).txt')
    expect(withMark('.env', '2')).toBe('.env (2)')
  })

  it('is not longer than disks allow, with or without a mark', () => {
    const size = (name: string) => Buffer.byteLength(name)
    const long = localName('夏'.repeat(200))
    expect(size(long)).toBe(255)
    expect(
      [withMark(long, '2'), withMark(`${'夏'.repeat(80)}.jpg`, 'x'.repeat(12))].map(size).every((n) => n <= 255),
    ).toBe(true)
    expect(withMark(`${'夏'.repeat(84)}.jp`, '2')).toMatch(/夏 \(2\)\.jp$/)
    expect(withMark(`a.${'夏'.repeat(84)}`, '2')).toMatch(/^a\..*夏 \(2\)$/)
  })

  it.each(['', '.', '..', '../../etc/passwd', 'a/b', 'a\\b', 'a\u0000b', 'a\nb', 'C:evil', 'a:stream', 'a.', 'CON'])(
    'never leaves its folder: %j',
    (name) => {
      const local = localName(name)
      expect(local).not.toMatch(/^\.{0,2}$/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must be gone
      expect(local).not.toMatch(/[/\\:\u0000-\u001f]|[. ]$|^CON$/)
    },
  )
})
