import type { PlatformConfig } from './config.ts'

/** Answers may be this old, */
const FRESH_MS = 5000
/** or so many times as old as it took to measure them: what is dear is measured less often. */
const TIMES_DEARER = 10
const ANSWERS = 500

interface Known {
  answer: Promise<unknown>
  /** How long it is given; nothing while it is being measured. */
  until?: number
}

/**
 * Gives the answer of a moment ago to whoever asks the same again; while one is being measured all wait for that one, however
 * long it takes. At the quick pace every question is measured anew.
 * @param options.freshMs how old an answer may be at least, from when it was there
 */
export function createCache(
  { config }: { config: Pick<PlatformConfig, 'pace'> },
  { freshMs = FRESH_MS, now = () => performance.now() }: { freshMs?: number; now?: () => number } = {},
) {
  const fresh = (took: number) => (config.pace === 'quick' ? 0 : Math.max(freshMs, took * TIMES_DEARER))
  const answers = new Map<string, Known>()

  return <T>(question: readonly unknown[], measure: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(question)
    const known = answers.get(key)
    if (known && (known.until === undefined || now() < known.until)) return known.answer as Promise<T>
    if (answers.size >= ANSWERS)
      for (const [other, { until }] of answers) if (until !== undefined) answers.delete(other)
    const began = now()
    const answer = measure()
    const measured: Known = { answer }
    answers.set(key, measured)
    answer.then(
      () => {
        measured.until = now() + fresh(now() - began)
      },
      // What failed is not remembered.
      () => answers.delete(key),
    )
    return answer
  }
}

export type Cache = ReturnType<typeof createCache>
