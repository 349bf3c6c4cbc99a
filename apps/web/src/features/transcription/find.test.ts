import { describe, expect, it } from 'vitest'
import { findMatches, pieces } from './find.ts'

describe('search in a transcript', () => {
  it('finds every place, in order, in upper and lower case', () =>
    expect(findMatches(['Tide and tide', 'none', 'a TIDE'], 'tide')).toEqual([
      { segment: 0, from: 0, to: 4 },
      { segment: 0, from: 9, to: 13 },
      { segment: 2, from: 2, to: 6 },
    ]))

  it('finds Chinese', () => expect(findMatches(['码头的验潮仪'], '验潮')).toEqual([{ segment: 0, from: 3, to: 5 }]))

  it.each(['a.c', '(', '[x]', 'c++', '50% $', 'a|b', '\\d', '^', '{1}', 'e-mail', 'km/h'])(
    'takes the signs of %s as they are',
    (text) => {
      expect(findMatches([`so ${text} it is`], text)).toEqual([{ segment: 0, from: 3, to: 3 + text.length }])
      expect(findMatches(['abc 5 x'], text)).toEqual([])
    },
  )

  it('keeps positions where a lower-case letter is longer', () =>
    expect(findMatches(['İİ tide'], 'TIDE')).toEqual([{ segment: 0, from: 3, to: 7 }]))

  it.each(['', '  '])('finds nothing for “%s”', (text) => expect(findMatches(['a  b'], text)).toEqual([]))
})

describe('pieces of a text', () => {
  const split = (text: string, wanted: string) =>
    pieces(
      text,
      findMatches([text], wanted).map((match, index) => ({ ...match, index })),
    )

  it('are what was found and what lies between', () =>
    expect(split('a tide, tide', 'tide')).toEqual([
      { text: 'a ' },
      { text: 'tide', match: 0 },
      { text: ', ' },
      { text: 'tide', match: 1 },
    ]))

  it.each(['tidetide', 'the tide', '<b>tide</b>'])('of %s are the whole text', (text) =>
    expect(
      split(text, 'tide')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text),
  )
})
