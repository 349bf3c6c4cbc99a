import { Bip39, EnglishMnemonic, Random } from '@cosmjs/crypto'

/** Spec 5: length of a recovery phrase. */
export const WORD_COUNT = 12

const list = EnglishMnemonic.wordlist
const known = new Set(list)

/** A new recovery phrase, from 128 random bits. */
export const newMnemonic = (): string[] => Bip39.encode(Random.getBytes(16)).toString().split(' ')

/** Splits typed or pasted text into words; drops numbers before them ("1. anchor"). */
export const splitWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[\s,;、，]+/)
    .map((word) => word.replace(/^\d+[.):]?/, ''))
    .filter((word) => word !== '')

export interface WordProblem {
  /** `unknown`: not in the BIP-39 word list. */
  kind: 'missing' | 'unknown'
  /** Up to three suggestions. */
  near: readonly string[]
}

/** Problem of a recovery phrase: of single words, or, if all are in the list, of the checksum. */
export type PhraseProblem =
  | { kind: 'words'; words: ReadonlyMap<number, WordProblem> }
  /** The last word contains a checksum: a word or the order is wrong. */
  | { kind: 'checksum' }

/** Validates a recovery phrase; undefined if valid. */
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
    return { kind: 'checksum' }
  }
}

/** Words of the list within one or two typos; none if there are more than three. */
export function nearest(word: string): string[] {
  for (const most of [1, 2]) {
    const near = list.filter((each) => Math.abs(each.length - word.length) <= most && distance(each, word) <= most)
    if (near.length > 0) return near.length <= 3 ? near : []
  }
  // The first four letters of each word in the list are unique.
  return word.length >= 4 ? list.filter((each) => each.startsWith(word.slice(0, 4))) : []
}

/** Levenshtein distance. */
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

/** Three random positions of words, from 0 and in order, that are asked for to check that the phrase was written down. */
export const backupPositions = (words: readonly string[]): number[] =>
  shuffled(words.map((_, index) => index))
    .slice(0, 3)
    .sort((a, b) => a - b)

function shuffled<T>(items: readonly T[]): T[] {
  const order = Random.getBytes(items.length * 2)
  return items
    .map((item, index) => ({ item, key: order[index * 2]! * 256 + order[index * 2 + 1]! }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
