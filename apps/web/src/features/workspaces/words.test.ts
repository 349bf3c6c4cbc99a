import { describe, expect, it } from 'vitest'
import { freeName, lineOf, NAME, portsOf, wordsOf } from './words.ts'

describe('a command', () => {
  it('is parted into words as a shell would', () => {
    expect(wordsOf('  httpd  -f -p 8080 ')).toEqual(['httpd', '-f', '-p', '8080'])
    expect(wordsOf(`sh -c 'echo "a b"; sleep 1'`)).toEqual(['sh', '-c', 'echo "a b"; sleep 1'])
    expect(wordsOf('say "a \\"b\\" c" d\\ e')).toEqual(['say', 'a "b" c', 'd e'])
    expect(wordsOf(`a '' ""b`)).toEqual(['a', '', 'b'])
    expect(wordsOf('"\\n"')).toEqual(['\\n'])
    expect(wordsOf('   ')).toEqual([])
  })

  it('written as a line is the same words again', () => {
    for (const words of [['sh', '-c', `echo 'it''s' "x"`], ['', 'a b', '$HOME', '\\'], ["'"], []])
      expect(wordsOf(lineOf(words))).toEqual(words)
  })
})

describe('ports', () => {
  it('are numbers parted by commas or blanks, each once', () => {
    expect(portsOf('80, 443')).toEqual([80, 443])
    expect(portsOf('80，443 80')).toEqual([80, 443])
    expect(portsOf('')).toEqual([])
  })

  it('are refused beyond what there is', () => {
    for (const text of [
      '0',
      '65536',
      '80-90',
      '8e1',
      '0x50',
      '-1',
      'http',
      Array.from({ length: 21 }, (_, n) => n + 1).join(),
    ])
      expect(portsOf(text), text).toBeUndefined()
  })
})

describe('the name of a new program', () => {
  it('comes from what it is, and is free', () => {
    expect(freeName('nginx', [])).toBe('nginx')
    expect(freeName('nginx', ['nginx', 'nginx-2'])).toBe('nginx-3')
    expect(freeName('ghcr.io/owner/My_App:1.2', [])).toBe('my-app')
    expect(freeName('docker.io/library/9front@sha256:ab', [])).toBe('front')
  })

  it('can always be taken', () => {
    for (const base of ['', '123', '___', 'a'.repeat(80), '-x-', 'x/'])
      expect(freeName(base, ['a', 'program'])).toMatch(NAME)
  })
})
