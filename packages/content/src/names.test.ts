import { describe, expect, it } from 'vitest'
import { asDisksSeeIt, checkName, isPortableName, safeName, withMark } from './names.ts'

it.each([
  ['holiday', 'holiday'],
  ['照片 2024', '照片 2024'],
  [' a/b\\c\n ', 'a_b_c_'],
  ['../../etc', '.._.._etc'],
  ['..', 'folder'],
  ['.', 'folder'],
  ['', 'folder'],
  ['  ', 'folder'],
  ['a\ud800', 'a_'],
  ['x'.repeat(300), 'x'.repeat(255)],
  ['字'.repeat(100), '字'.repeat(85)],
  [`${'字'.repeat(251)}.jpg`, `${'字'.repeat(83)}.jpg`],
  [`a.${'字'.repeat(253)}`, `a.${'字'.repeat(84)}`],
  ['🌊'.repeat(255), '🌊'.repeat(63)],
  ['C:evil.exe', 'C_evil.exe'],
  ['a:stream', 'a_stream'],
  ['a. . ', 'a'],
  ['...', 'folder'],
  ['CON', '_CON'],
  ['nul.tar.gz', '_nul.tar.gz'],
  ['com1 .txt', '_com1 .txt'],
  ['lpt²', '_lpt²'],
  ['a\u0085b', 'a_b'],
  [`${'x'.repeat(254)}. `, 'x'.repeat(254)],
])('%j becomes a name that any system takes', (name, safe) => {
  expect(safeName(name, 'folder')).toBe(safe)
  checkName(safeName(name, 'folder'))
  expect(isPortableName(safe)).toBe(true)
  expect(safeName(safe, 'folder')).toBe(safe)
})

it.each(['a', '.env', 'a.b.c', 'console', 'CONFIG', 'com10', 'nul1', '照片 2024', 'a b', "it's", 'a?b'])(
  '%j lies on any disk under its own name',
  (name) => expect(isPortableName(name)).toBe(true),
)

it.each([
  ['', '..', '.', '../a', 'a/b', 'a\\b', '..\\..\\evil.exe', 'C:', 'C:evil.exe', 'a:stream', 'a::$DATA'],
  ['CON', 'con', 'Con.txt', 'NUL.tar.gz', 'aux .txt', 'COM1', 'lpt9.log', 'COM¹', 'CONIN$', 'clock$'],
  ['a.', 'a ', 'a. .', 'a\0', 'a\nb', '\u001b[31m', 'a\u007f', 'a\u0085', 'a\ud800'],
])('%j and the like are something else on some system', (...names) => {
  for (const name of names) expect([name, isPortableName(name)]).toEqual([name, false])
})

describe('a second name', () => {
  it('is marked', () => {
    expect(withMark('a.txt', '2')).toBe('a (2).txt')
    expect(withMark('.env', '2')).toBe('.env (2)')
  })

  it('is not longer than disks allow, with or without a mark', () => {
    const size = (name: string) => Buffer.byteLength(name)
    const long = safeName('夏'.repeat(200), '_')
    expect(size(long)).toBe(255)
    expect(
      [withMark(long, '2'), withMark(`${'夏'.repeat(80)}.jpg`, 'x'.repeat(12))].map(size).every((n) => n <= 255),
    ).toBe(true)
    expect(withMark(`${'夏'.repeat(84)}.jp`, '2')).toMatch(/夏 \(2\)\.jp$/)
    expect(withMark(`a.${'夏'.repeat(84)}`, '2')).toMatch(/^a\..*夏 \(2\)$/)
  })

  it.each([
    ['case', 'A.TXT', 'a.txt'],
    ['Unicode form', 'É.TXT', 'e\u0301.txt'],
    ['case of letters that become two', 'Straße', 'STRASSE'],
    ['case of letters with two small forms', 'ΟΔΟΣ', 'οδοσ'],
    ['invisible characters', 'a\u200c.txt', 'a.txt'],
    ['characters that they do not allow', 'a?.txt', 'a*.txt'],
  ])('is needed on disks that ignore %s', (_, one, other) => {
    expect(asDisksSeeIt(one)).toBe(asDisksSeeIt(other))
  })

  it('is not needed for others', () => {
    expect(asDisksSeeIt('a.txt')).not.toBe(asDisksSeeIt('b.txt'))
  })
})
