import { describe, expect, it } from 'vitest'
import { decode, guessEncoding, linesOf, looksBinary } from './decode.ts'
import { previewKind, previewType } from './kinds.ts'
import { guessSeparator, readTable } from './table.ts'

const bytes = (...list: number[]) => Uint8Array.from(list)
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('the encoding of a text', () => {
  it('is what its mark says', () => {
    expect(guessEncoding(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe('utf-8')
    expect(guessEncoding(bytes(0xff, 0xfe, 0x61, 0))).toBe('utf-16le')
    expect(guessEncoding(bytes(0xfe, 0xff, 0, 0x61))).toBe('utf-16be')
  })

  it('is found without a mark', () => {
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

  it('does not depend on where the sample ends', () => {
    expect(guessEncoding(utf8('潮'.repeat(30_000)))).toBe('utf-8')
  })

  it('is none for what is no text', () => {
    expect(looksBinary(bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0))).toBe(true)
    expect(looksBinary(utf8('text'))).toBe(false)
  })
})

describe('the lines of a text', () => {
  it('end in any of three ways, and a last break makes no line', () => {
    expect(linesOf('a\nb\r\nc\rd\n', 10)).toEqual({ lines: ['a', 'b', 'c', 'd'], cut: false })
    expect(linesOf('', 10)).toEqual({ lines: [], cut: false })
  })

  it('are no more than asked for', () => {
    expect(linesOf('a\nb\nc', 2)).toEqual({ lines: ['a', 'b'], cut: true })
    expect(linesOf('a\nb\n', 2)).toEqual({ lines: ['a', 'b'], cut: false })
  })
})

describe('a table', () => {
  it('may hold separators, quotes and line breaks in quotes', () => {
    expect(readTable('a,"b,""c""\nd"\r\n1,\n', ',', 10).rows).toEqual([
      ['a', 'b,"c"\nd'],
      ['1', ''],
    ])
  })

  it('is read to its end though a quote is never closed', () => {
    expect(readTable('a,"b', ',', 10).rows).toEqual([['a', 'b']])
  })

  it('is separated by what gives even rows', () => {
    expect(guessSeparator('a;b;c\n1,5;2;3\n4;5;6\n')).toBe(';')
    expect(guessSeparator('a\tb\n1\t2\n')).toBe('\t')
    expect(guessSeparator('a,b\n1,2\n')).toBe(',')
    expect(guessSeparator('one column\nonly\n')).toBe(',')
  })

  it('has no more rows than asked for', () => {
    expect(readTable('1\n2\n3\n', ',', 2)).toEqual({ rows: [['1'], ['2']], cut: true })
  })
})

describe('the kind of a file', () => {
  it('is told by the end of its name', () => {
    expect(previewKind('beach.JPG')).toBe('image')
    expect(previewKind('a.b.csv')).toBe('table')
    expect(previewKind('Makefile')).toBe('text')
    expect(previewType('song.mp3')).toBe('audio/mpeg')
  })

  it('is never one by which it could run', () => {
    for (const name of ['page.html', 'page.xhtml', 'x.htm', 'script.js', 'data.xml'])
      expect(previewKind(name)).toBe('text')
    expect(previewType('page.html')).toBe('text/plain')
    expect(previewKind('drawing.svg')).toBe('svg')
    expect(previewKind('program.exe')).toBe('none')
    expect(previewKind('x.constructor')).toBe('none')
  })
})
