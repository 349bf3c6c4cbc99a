import { Bip39, EnglishMnemonic, Random } from '@cosmjs/crypto'

/** Spec 5: a phrase has twelve words. */
export const WORD_COUNT = 12

const list = EnglishMnemonic.wordlist
const known = new Set(list)

/** Twelve new words, from 128 random bits. */
export const newWords = (): string[] => Bip39.encode(Random.getBytes(16)).toString().split(' ')

/** What somebody typed or pasted, cut into words; numbers before them ("1. anchor") are left out. */
export const splitWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[\s,;、，]+/)
    .map((word) => word.replace(/^\d+[.):]?/, ''))
    .filter((word) => word !== '')

export interface WordProblem {
  /** `unknown`: not in the list. */
  kind: 'missing' | 'unknown'
  /** The words that may have been meant, three at most. */
  near: readonly string[]
}

/** What is wrong with a phrase: with single words, or, when each is in the list, with all of them together. */
export type PhraseProblem =
  | { kind: 'words'; words: ReadonlyMap<number, WordProblem> }
  /** The twelfth word holds a sum over all: one word is another, or their order is. */
  | { kind: 'sum' }

/** Checks twelve words; undefined when they make a wallet. */
export function phraseProblem(words: readonly string[]): PhraseProblem | undefined {
  const wrong = new Map<number, WordProblem>()
  for (let index = 0; index < WORD_COUNT; index += 1) {
    const word = words[index] ?? ''
    if (word === '') wrong.set(index, { kind: 'missing', near: [] })
    else if (!known.has(word)) wrong.set(index, { kind: 'unknown', near: nearest(word) })
  }
  if (wrong.size > 0) return { kind: 'words', words: wrong }
  try {
    new EnglishMnemonic(words.join(' '))
    return undefined
  } catch {
    return { kind: 'sum' }
  }
}

/** The words of the list that a slip of a letter or two leads to; none when there are more than three. */
export function nearest(word: string): string[] {
  for (const most of [1, 2]) {
    const near = list.filter((each) => Math.abs(each.length - word.length) <= most && distance(each, word) <= most)
    if (near.length > 0) return near.length <= 3 ? near : []
  }
  // The first four letters tell every word of the list from all others.
  return word.length >= 4 ? list.filter((each) => each.startsWith(word.slice(0, 4))) : []
}

/** How many letters have to be changed, put in or left out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + same))
    }
    row = next
  }
  return row[other.length]!
}

/** A question that shows whether the words were written down. */
export interface WordQuestion {
  /** From 0. */
  index: number
  /** The right word among others, in the order of the alphabet. */
  choices: readonly string[]
}

/** Asks for three of the words, each among five others; what is asked cannot be foreseen. */
export function askWords(words: readonly string[]): WordQuestion[] {
  const positions = shuffled(words.map((_, index) => index)).slice(0, 3)
  return positions
    .sort((a, b) => a - b)
    .map((index) => {
      const right = words[index]!
      // Others of the phrase: who has only read it once cannot tell which is where.
      const others = shuffled([...new Set(words)].filter((word) => word !== right)).slice(0, 5)
      return { index, choices: [right, ...others].sort() }
    })
}

function shuffled<T>(items: readonly T[]): T[] {
  const order = Random.getBytes(items.length * 2)
  return items
    .map((item, index) => ({ item, key: order[index * 2]! * 256 + order[index * 2 + 1]! }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
