import { describe, expect, it } from 'vitest'
import { decode, guessEncoding, linesOf, looksBinary } from './decode.ts'
import { previewKind, previewType } from './kinds.ts'
import { guessSeparator, readTable } from './table.ts'

const bytes = (...list: number[]) => Uint8Array.from(list)
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('guessEncoding', () => {
  it('uses the byte order mark', () => {
    expect(guessEncoding(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe('utf-8')
    expect(guessEncoding(bytes(0xff, 0xfe, 0x61, 0))).toBe('utf-16le')
    expect(guessEncoding(bytes(0xfe, 0xff, 0, 0x61))).toBe('utf-16be')
  })

  it('detects encodings without a byte order mark', () => {
    expect(guessEncoding(utf8('tides, Gezeiten, marées, 潮汐'))).toBe('utf-8')
    // 潮汐表, in GB 18030 and in UTF-16.
    const gb = bytes(0xb3, 0xb1, 0xcf, 0xab, 0xb1, 0xed)
    expect(guessEncoding(gb)).toBe('gb18030')
    expect(decode(gb, 'gb18030')).toBe('潮汐表')
    expect(guessEncoding(Uint8Array.from(Array.from('plain text', (c) => [c.charCodeAt(0), 0]).flat()))).toBe(
      'utf-16le',
    )
    expect(guessEncoding(bytes(0x6d, 0x61, 0x72, 0xe9, 0x65))).toBe('windows-1252')
  })

  it('accepts a sample that ends within a character', () => {
    expect(guessEncoding(utf8('潮'.repeat(30_000)))).toBe('utf-8')
  })

  it('detects binary content', () => {
    expect(looksBinary(bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0))).toBe(true)
    expect(looksBinary(utf8('text'))).toBe(false)
  })
})

describe('linesOf', () => {
  it('accepts LF, CRLF and CR, and ignores a trailing line break', () => {
    expect(linesOf('a\nb\r\nc\rd\n', 10)).toEqual({ lines: ['a', 'b', 'c', 'd'], cut: false })
    expect(linesOf('', 10)).toEqual({ lines: [], cut: false })
  })

  it('limits the number of lines', () => {
    expect(linesOf('a\nb\nc', 2)).toEqual({ lines: ['a', 'b'], cut: true })
    expect(linesOf('a\nb\n', 2)).toEqual({ lines: ['a', 'b'], cut: false })
  })
})

describe('readTable and guessSeparator', () => {
  it('accepts separators, quotes and line breaks in quoted fields', () => {
    expect(readTable('a,"b,""c""\nd"\r\n1,\n', ',', 10).rows).toEqual([
      ['a', 'b,"c"\nd'],
      ['1', ''],
    ])
  })

  it('reads to the end if a quote is not closed', () => {
    expect(readTable('a,"b', ',', 10).rows).toEqual([['a', 'b']])
  })

  it('picks the separator that gives rows of equal length', () => {
    expect(guessSeparator('a;b;c\n1,5;2;3\n4;5;6\n')).toBe(';')
    expect(guessSeparator('a\tb\n1\t2\n')).toBe('\t')
    expect(guessSeparator('a,b\n1,2\n')).toBe(',')
    expect(guessSeparator('one column\nonly\n')).toBe(',')
  })

  it('limits the number of rows', () => {
    expect(readTable('1\n2\n3\n', ',', 2)).toEqual({ rows: [['1'], ['2']], cut: true })
  })
})

describe('previewKind', () => {
  it('depends on the file extension', () => {
    expect(previewKind('beach.JPG')).toBe('image')
    expect(previewKind('a.b.csv')).toBe('table')
    expect(previewKind('Makefile')).toBe('text')
    expect(previewType('song.mp3')).toBe('audio/mpeg')
  })

  it('never selects a type that could run scripts', () => {
    for (const name of ['page.html', 'page.xhtml', 'x.htm', 'script.js', 'data.xml'])
      expect(previewKind(name)).toBe('text')
    expect(previewType('page.html')).toBe('text/plain')
    expect(previewKind('drawing.svg')).toBe('svg')
    expect(previewKind('program.exe')).toBe('none')
    expect(previewKind('x.constructor')).toBe('none')
  })
})
