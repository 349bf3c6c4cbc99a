/** A map whose entries are sorted by key, by UTF-16 code units: keys that hold one byte per character are sorted by their bytes. */
export interface SortedMap {
  get(key: string): string | undefined
  set(key: string, value: string): void
  delete(key: string): void
  /**
   * Entries from `start` (inclusive) to `end` (exclusive), read one by one, as they are at the time of this call: later changes do not
   * affect them.
   */
  range(start: string, end: string | undefined, descending?: boolean): Generator<[key: string, value: string]>
  /** A map that changes independently. It shares what neither changes. */
  copy(): SortedMap
}

/** Consecutive entries. Only the map that owns them changes them; others copy them first. */
interface Chunk {
  keys: string[]
  values: string[]
  owner: object
}

const CHUNK_MAX = 256

export const createSortedMap = (): SortedMap => mapOf([])

function mapOf(initial: Chunk[]): SortedMap {
  // Sorted, none is empty.
  let chunks = initial
  let isListShared = true
  let owner = {}

  /** The chunks of now, which nobody changes from then on. */
  const share = (): Chunk[] => {
    isListShared = true
    owner = {}
    return chunks
  }
  const ownList = (): Chunk[] => {
    if (isListShared) chunks = [...chunks]
    isListShared = false
    return chunks
  }
  const ownChunk = (at: number): Chunk => {
    const chunk = chunks[at] as Chunk
    if (chunk.owner === owner) return chunk
    const own = { keys: [...chunk.keys], values: [...chunk.values], owner }
    ownList()[at] = own
    return own
  }
  const splitIfLong = (at: number): void => {
    const { keys, values } = chunks[at] as Chunk
    if (keys.length <= CHUNK_MAX) return
    const half = keys.length / 2
    ownList().splice(at + 1, 0, { keys: keys.splice(half), values: values.splice(half), owner })
  }

  return {
    get(key) {
      const { keys, values } = chunks[chunkOf(chunks, key)] ?? {}
      if (!keys || !values) return undefined
      const at = firstFrom(keys, key)
      return keys[at] === key ? values[at] : undefined
    },
    set(key, value) {
      if (chunks.length === 0) {
        ownList().push({ keys: [key], values: [value], owner })
        return
      }
      const chunkAt = chunkOf(chunks, key)
      const { keys, values } = ownChunk(chunkAt)
      const at = firstFrom(keys, key)
      if (keys[at] === key) values[at] = value
      else {
        keys.splice(at, 0, key)
        values.splice(at, 0, value)
        splitIfLong(chunkAt)
      }
    },
    delete(key) {
      const chunkAt = chunkOf(chunks, key)
      const found = chunks[chunkAt]
      const at = found ? firstFrom(found.keys, key) : 0
      if (found?.keys[at] !== key) return
      const { keys, values } = ownChunk(chunkAt)
      keys.splice(at, 1)
      values.splice(at, 1)
      if (keys.length === 0) ownList().splice(chunkAt, 1)
    },
    range: (start, end, descending = false) => (descending ? backward : forward)(share(), start, end),
    copy: () => mapOf(share()),
  }
}

function* forward(chunks: readonly Chunk[], start: string, end: string | undefined): Generator<[string, string]> {
  for (let chunkAt = chunkOf(chunks, start); chunkAt < chunks.length; chunkAt++) {
    const { keys, values } = chunks[chunkAt] as Chunk
    for (let at = firstFrom(keys, start); at < keys.length; at++) {
      const key = keys[at] as string
      if (end !== undefined && key >= end) return
      yield [key, values[at] as string]
    }
  }
}

function* backward(chunks: readonly Chunk[], start: string, end: string | undefined): Generator<[string, string]> {
  for (let chunkAt = end === undefined ? chunks.length - 1 : chunkOf(chunks, end); chunkAt >= 0; chunkAt--) {
    const { keys, values } = chunks[chunkAt] ?? { keys: [], values: [] }
    for (let at = (end === undefined ? keys.length : firstFrom(keys, end)) - 1; at >= 0; at--) {
      const key = keys[at] as string
      if (key < start) return
      yield [key, values[at] as string]
    }
  }
}

/** Position of the chunk that a key is in, or would be. */
function chunkOf(chunks: readonly Chunk[], key: string): number {
  let low = 0
  let high = chunks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (((chunks[middle] as Chunk).keys[0] as string) <= key) low = middle
    else high = middle - 1
  }
  return low
}

/** Position of the first key that is not before `key`. */
function firstFrom(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}
