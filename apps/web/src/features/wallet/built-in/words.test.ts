import { describe, expect, test } from 'vitest'
import { addressOf } from './signer.ts'
import { askWords, nearest, newWords, phraseProblem, splitWords } from './words.ts'

/** Vectors of BIP-39 (Trezor). */
const ZEROS = `${'abandon '.repeat(11)}about`.split(' ')
const LEGAL = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ')

describe('twelve words', () => {
  test('are new each time, and a wallet', () => {
    const words = newWords()
    expect(words).toHaveLength(12)
    expect(phraseProblem(words)).toBeUndefined()
    expect(newWords()).not.toEqual(words)
  })

  test('of the published vectors are taken', () => {
    expect(phraseProblem(ZEROS)).toBeUndefined()
    expect(phraseProblem(LEGAL)).toBeUndefined()
  })

  test('give the account that other wallets give for them', async () => {
    expect(await addressOf(ZEROS, 'cosmos')).toBe('cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4')
  })

  test('are cut out of what was pasted', () => {
    expect(splitWords(' 1. Legal\t2) winner\n3 thank,year ')).toEqual(['legal', 'winner', 'thank', 'year'])
    expect(splitWords('')).toEqual([])
  })

  test('refused: a word that is missing or not in the list, each by its place and with what was meant', () => {
    const words = [...LEGAL]
    words[1] = 'winer'
    words[4] = ''
    words[7] = 'qqqqqqq'
    const problem = phraseProblem(words)
    expect(problem?.kind).toBe('words')
    expect(problem?.kind === 'words' && [...problem.words]).toEqual([
      [1, { kind: 'unknown', near: ['wine', 'winner', 'winter'] }],
      [4, { kind: 'missing', near: [] }],
      [7, { kind: 'unknown', near: [] }],
    ])
  })

  test('refused: words of the list that are no wallet together', () => {
    expect(phraseProblem(Array.from({ length: 12 }, () => 'abandon'))).toEqual({ kind: 'sum' })
    expect(phraseProblem([LEGAL[1]!, LEGAL[0]!, ...LEGAL.slice(2)])).toEqual({ kind: 'sum' })
  })
})

describe('a slip', () => {
  test('leads to the words that are near, or begin alike', () => {
    expect(nearest('abandn')).toEqual(['abandon'])
    expect(nearest('zooo')).toEqual(['zoo'])
    expect(nearest('sausge')).toEqual(['sausage'])
    expect(nearest('sausxyzt')).toEqual(['sausage'])
  })

  test('leads nowhere when nothing is near, or too much', () => {
    expect(nearest('xxxxxx')).toEqual([])
    expect(nearest('bat')).toEqual([])
  })
})

describe('questions', () => {
  test('ask for three words in order, each with its own among others of the phrase', () => {
    const questions = askWords(LEGAL)
    expect(questions).toHaveLength(3)
    expect(questions.map(({ index }) => index)).toEqual(questions.map(({ index }) => index).sort((a, b) => a - b))
    for (const { index, choices } of questions) {
      expect(choices).toContain(LEGAL[index])
      expect(new Set(choices).size).toBe(choices.length)
      for (const choice of choices) expect(LEGAL).toContain(choice)
    }
  })
})
