import { describe, expect, it } from 'vitest'
import { isCid, joinPath, localName, namesIn, splitPath } from './paths.ts'

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
