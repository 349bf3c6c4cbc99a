interface Offered<T> {
  value: T
  score: number
  /** Of two equal scores, the earlier one is better. */
  order: number
}

const isWorse = (a: Offered<unknown>, b: Offered<unknown>): boolean =>
  a.score === b.score ? a.order > b.order : a.score < b.score

/** Keeps the `count` items with the highest scores, without sorting the others: a heap with the worst one on top. */
export function bestOf<T>(count: number) {
  const heap: Offered<T>[] = []
  let offered = 0

  const at = (index: number) => heap[index] as Offered<T>
  const rise = (item: Offered<T>) => {
    let index = heap.length
    heap.push(item)
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isWorse(item, at(parent))) break
      heap[index] = at(parent)
      index = parent
    }
    heap[index] = item
  }
  const replaceWorst = (item: Offered<T>) => {
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isWorse(at(child + 1), at(child))) child += 1
      if (!isWorse(at(child), item)) break
      heap[index] = at(child)
      index = child
    }
    heap[index] = item
  }

  return {
    offer(value: T, score: number) {
      const order = offered++
      if (heap.length < count) rise({ value, score, order })
      else if (count > 0 && score > at(0).score) replaceWorst({ value, score, order })
    },
    /** Highest first. */
    take: (): T[] => heap.sort((a, b) => b.score - a.score || a.order - b.order).map(({ value }) => value),
  }
}
