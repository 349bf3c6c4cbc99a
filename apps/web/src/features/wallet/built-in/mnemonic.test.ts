import { describe, expect, test } from 'vitest'
import { backupPositions, nearest, newMnemonic, phraseProblem, splitWords } from './mnemonic.ts'
import { addressOf } from './signer.ts'

/** Vectors of BIP-39 (Trezor). */
const ZEROS = `${'abandon '.repeat(11)}about`.split(' ')
const LEGAL = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ')

describe('recovery phrase', () => {
  test('is valid and different each time', () => {
    const words = newMnemonic()
    expect(words).toHaveLength(12)
    expect(phraseProblem(words)).toBeUndefined()
    expect(newMnemonic()).not.toEqual(words)
  })

  test('accepts the BIP-39 test vectors', () => {
    expect(phraseProblem(ZEROS)).toBeUndefined()
    expect(phraseProblem(LEGAL)).toBeUndefined()
  })

  test('derives the same account as other wallets', async () => {
    expect(await addressOf(ZEROS, 'cosmos')).toBe('cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4')
  })

  test('is split from pasted text', () => {
    expect(splitWords(' 1. Legal\t2) winner\n3 thank,year ')).toEqual(['legal', 'winner', 'thank', 'year'])
    expect(splitWords('')).toEqual([])
  })

  test('reports missing and unknown words by position, with suggestions', () => {
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

  test('rejects a wrong checksum', () => {
    expect(phraseProblem(Array.from({ length: 12 }, () => 'abandon'))).toEqual({ kind: 'checksum' })
    expect(phraseProblem([LEGAL[1]!, LEGAL[0]!, ...LEGAL.slice(2)])).toEqual({ kind: 'checksum' })
  })
})

describe('nearest', () => {
  test('suggests similar words and words with the same beginning', () => {
    expect(nearest('abandn')).toEqual(['abandon'])
    expect(nearest('zooo')).toEqual(['zoo'])
    expect(nearest('sausge')).toEqual(['sausage'])
    expect(nearest('sausxyzt')).toEqual(['sausage'])
  })

  test('suggests nothing if no word or too many words are similar', () => {
    expect(nearest('xxxxxx')).toEqual([])
    expect(nearest('bat')).toEqual([])
  })
})

describe('backupPositions', () => {
  test('are three different words of the phrase, in order', () => {
    const positions = backupPositions(LEGAL)
    expect(new Set(positions).size).toBe(3)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    for (const position of positions) expect(LEGAL[position]).toBeDefined()
  })
})
