import { describe, expect, it } from 'vitest'
import { cut, pad, plain, table, width } from './width.ts'

describe('places on a terminal', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['夏天', 4],
    ['（a）', 5],
    ['한글', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['🌊', 2],
    ['👨‍👩‍👧', 2],
    ['…█', 2],
  ])('%j takes %i', (text, places) => expect(width(text)).toBe(places))

  it.each([
    ['short', 10, 'short'],
    ['a long name', 6, 'a lon…'],
    ['夏天的照片', 6, '夏天…'],
    ['夏天的照片', 5, '夏天…'],
    ['夏', 1, '…'],
    ['夏', 0, ''],
  ])('%j is cut to %i', (text, places, cutText) => {
    expect(cut(text, places)).toBe(cutText)
    expect(width(cutText)).toBeLessThanOrEqual(places)
  })

  it('are added if there are too few, and never removed', () => {
    expect(pad('夏', 4)).toBe('夏  ')
    expect(pad('夏天', 3)).toBe('夏天')
  })
})

describe('a table', () => {
  it('aligns its columns for any script', () => {
    expect(
      table(
        ['名称', 'Size'],
        [
          ['照片.bin', '19 MiB'],
          ['a', '1 B'],
        ],
      ).split('\n'),
    ).toEqual(['名称      Size', '照片.bin  19 MiB', 'a         1 B'])
  })

  it('removes terminal control sequences from names', () => {
    const shown = table(['Name'], [['\u001b[2Jgone\r\n']])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must be gone
    expect(shown.replace('\n', '')).not.toMatch(/[\u0000-\u001f]/)
    expect(plain('txt.\u202eexe')).not.toContain('\u202e')
  })
})
