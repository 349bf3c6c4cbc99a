/** Keeps the `count` items with the highest scores, without sorting the others. */
export function bestOf<T>(count: number) {
  const values: T[] = []
  const scores: number[] = []
  return {
    offer(value: T, score: number) {
      if (values.length >= count) {
        if (count === 0 || score <= (scores[scores.length - 1] as number)) return
        values.pop()
        scores.pop()
      }
      let low = 0
      let high = scores.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((scores[middle] as number) >= score) low = middle + 1
        else high = middle
      }
      values.splice(low, 0, value)
      scores.splice(low, 0, score)
    },
    /** Highest first. */
    take: () => values,
  }
}
