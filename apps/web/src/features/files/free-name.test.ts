import { describe, expect, it } from 'vitest'
import { freeName } from './free-name.ts'

describe('a free name', () => {
  it.each([
    ['a.txt', [], 'a.txt'],
    ['a.txt', ['a.txt', 'a (2).txt'], 'a (3).txt'],
    ['archive.tar.gz', ['archive.tar.gz'], 'archive.tar (2).gz'],
    ['.env', ['.env'], '.env (2)'],
    ['潮.jpg', ['潮.jpg'], '潮 (2).jpg'],
  ])('for %s beside %j is %s', (name, taken, free) => expect(freeName(name, new Set(taken), 128)).toBe(free))

  it('does not exceed the maximum length', () => {
    const name = `${'x'.repeat(124)}.txt`
    expect(freeName(name, new Set([name]), 128)).toBe(`${'x'.repeat(120)} (2).txt`)
  })

  it('of a folder has no file extension', () => expect(freeName('v1.2', new Set(['v1.2']), 128, true)).toBe('v1.2 (2)'))
})
