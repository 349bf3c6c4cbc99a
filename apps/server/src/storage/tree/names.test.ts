import { describe, expect, it } from 'vitest'
import { candidates } from './names.ts'

const freeName = (name: string, taken: ReadonlySet<string>, max: number, isFolder = false) =>
  candidates(name, max, isFolder, { from: 1, count: 10 }).find((candidate) => !taken.has(candidate)) ?? ''

describe('finding a free name', () => {
  it.each([
    ['a.txt', [], 'a.txt'],
    ['a.txt', ['a.txt'], 'a (2).txt'],
    ['a.txt', ['a.txt', 'a (2).txt'], 'a (3).txt'],
    ['.profile', ['.profile'], '.profile (2)'],
    ['archive.tar.gz', ['archive.tar.gz'], 'archive.tar (2).gz'],
    ['no ending', ['no ending'], 'no ending (2)'],
    ['1. an introduction to tides', ['1. an introduction to tides'], '1. an introduction to tides (2)'],
  ])('for %s beside %j is %s', (name, taken, free) => expect(freeName(name, new Set(taken), 128)).toBe(free))

  it('respects the length limit in characters, and keeps the extension', () => {
    const name = `${'🌊'.repeat(124)}.txt`
    const free = freeName(name, new Set([name]), 128)
    expect(free).toBe(`${'🌊'.repeat(120)} (2).txt`)
    expect([...free]).toHaveLength(128)
  })

  it('treats a dot in a folder name as part of the name', () =>
    expect(freeName('v1.2', new Set(['v1.2']), 50, true)).toBe('v1.2 (2)'))
})
