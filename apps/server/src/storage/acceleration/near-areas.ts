import { NEAR_AREAS_MAX, NEAR_COPIES } from '@tidenet/contract'

/** Where extra copies go: a pure function, without database and clock. */

export type Cause = 'reads' | 'expected' | 'account'

/** A content of an account that is accelerated. */
export interface Accelerated {
  cid: string
  size: number
  /** Countries that the owner allows; empty: all. */
  allowed: readonly string[]
  /** Countries where the owner expects readers. */
  expected: readonly string[]
  /** Where the owner was when turning it on; empty: not known. */
  owner: string
  /** Readers of the last days by country; recent ones count more. */
  reads: ReadonlyMap<string, number>
  /** Countries that have copies because of readers. */
  current: ReadonlySet<string>
}

export interface Near {
  country: string
  /** Countries of the readers that these copies serve. */
  readers: string[]
  cause: Cause
}

/** Readers of a country that bring copies there; copies stay while there are as many as `KEEP`, so that they do not come and go. */
const ENTER = 1
const KEEP = 0.25

export interface NearAsk {
  /** The country whose nodes are nearest to a reader; undefined if no suitable one has nodes. */
  nearest: (reader: string, allowed: readonly string[]) => string | undefined
  /** Bytes that the extra copies may have. */
  limit: number
}

/**
 * Chooses the countries of each content: expected ones first, then those with the most readers. Without any, the country of the owner. When
 * the limit is reached, contents with the most readers come first, then those given first.
 * @returns for each content; empty if nothing is known, no node is near, or the limit is reached
 */
export function chooseNearAreas(contents: readonly Accelerated[], { nearest, limit }: NearAsk): Map<string, Near[]> {
  const weight = ({ reads }: Accelerated) => [...reads.values()].reduce((sum, count) => sum + count, 0)
  const order = contents.map((content) => ({ content, weight: weight(content) })).sort((a, b) => b.weight - a.weight)
  const chosen = new Map<string, Near[]>()
  let left = limit
  for (const { content } of order) {
    const near: Near[] = []
    for (const { reader, cause } of readersOf(content)) {
      const country = nearest(reader, content.allowed)
      if (country === undefined) continue
      const known = near.find((area) => area.country === country)
      if (known) {
        if (!known.readers.includes(reader)) known.readers.push(reader)
        continue
      }
      const cost = content.size * NEAR_COPIES
      if (near.length >= NEAR_AREAS_MAX || cost > left) continue
      left -= cost
      near.push({ country, readers: [reader], cause })
    }
    chosen.set(content.cid, near)
  }
  return chosen
}

/** Where readers of a content are, or are expected, the most important first. */
export function readersOf({ expected, owner, reads, current }: Omit<Accelerated, 'cid' | 'size' | 'allowed'>) {
  const read = [...reads]
    .filter(([country, count]) => count >= (current.has(country) ? KEEP : ENTER))
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([reader]) => ({ reader, cause: 'reads' as Cause }))
  const known = [...expected.map((reader) => ({ reader, cause: 'expected' as Cause })), ...read]
  if (known.length > 0 || owner === '') return known
  return [{ reader: owner, cause: 'account' as Cause }]
}
