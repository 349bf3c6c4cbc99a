import { describe, expect, it } from 'vitest'
import { freeName, joinCommand, NAME, portsOf, splitCommand } from './parse.ts'

describe('splitCommand and joinCommand', () => {
  it('splits a command like a shell', () => {
    expect(splitCommand('  httpd  -f -p 8080 ')).toEqual(['httpd', '-f', '-p', '8080'])
    expect(splitCommand(`sh -c 'echo "a b"; sleep 1'`)).toEqual(['sh', '-c', 'echo "a b"; sleep 1'])
    expect(splitCommand('say "a \\"b\\" c" d\\ e')).toEqual(['say', 'a "b" c', 'd e'])
    expect(splitCommand(`a '' ""b`)).toEqual(['a', '', 'b'])
    expect(splitCommand('"\\n"')).toEqual(['\\n'])
    expect(splitCommand('   ')).toEqual([])
  })

  it('joins arguments so that they split into the same ones', () => {
    for (const words of [['sh', '-c', `echo 'it''s' "x"`], ['', 'a b', '$HOME', '\\'], ["'"], []])
      expect(splitCommand(joinCommand(words))).toEqual(words)
  })
})

describe('ports', () => {
  it('are separated by commas or spaces, without duplicates', () => {
    expect(portsOf('80, 443')).toEqual([80, 443])
    expect(portsOf('80，443 80')).toEqual([80, 443])
    expect(portsOf('')).toEqual([])
  })

  it('are rejected if malformed, out of range or too many', () => {
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

describe('freeName', () => {
  it('derives an unused name from the image', () => {
    expect(freeName('nginx', [])).toBe('nginx')
    expect(freeName('nginx', ['nginx', 'nginx-2'])).toBe('nginx-3')
    expect(freeName('ghcr.io/owner/My_App:1.2', [])).toBe('my-app')
    expect(freeName('docker.io/library/9front@sha256:ab', [])).toBe('front')
  })

  it('always returns a valid name', () => {
    for (const base of ['', '123', '___', 'a'.repeat(80), '-x-', 'x/'])
      expect(freeName(base, ['a', 'program'])).toMatch(NAME)
  })
})
