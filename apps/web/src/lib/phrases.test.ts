import { beforeAll, describe, expect, it } from 'vitest'

let phrases: typeof import('./phrases.ts')
beforeAll(async () => {
  phrases = await import('./phrases.ts')
})

describe('a duration', () => {
  it.each([
    [0, '0 sec'],
    [59_400, '59 sec'],
    [60_000, '1 min'],
    [3_725_000, '1 hr 2 min'],
    [90_000_000, '1 day 1 hr'],
  ])('of %d ms is %s', (ms, text) => expect(phrases.formatDuration(ms)).toBe(text))
})

it('a number before a Chinese word is separated from it', () => {
  expect(phrases.spaced('23小时 59分钟, 2 hr')).toBe('23 小时 59 分钟, 2 hr')
})

describe('a long id', () => {
  it('keeps its first six and last four characters', () => {
    expect(phrases.shorten('u3cjrjabcdef2gqp')).toBe('u3cjrj…2gqp')
  })
  it('of a masked wallet keeps its first four characters and the last', () => {
    expect(phrases.maskWallet('tide1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5')).toBe('tide…5')
  })
  it('that is an e-mail address keeps its beginning and its domain', () => {
    expect(phrases.shortenEmail('harbour@tidenet.example')).toBe('har…@tidenet.example')
    expect(phrases.shortenEmail('bo@tidenet.example')).toBe('bo@tidenet.example')
  })
  it('is not cut when that would save nothing', () => expect(phrases.shorten('12345678901')).toBe('12345678901'))
})
