import type { Config } from '../config.ts'

/** Answers for everybody may be this old. */
const FRESH_MS = 5000
const ANSWERS = 500

interface Known {
  answer: Promise<unknown>
  /** When it was there; nothing while it is being measured. */
  at?: number
}

/**
 * Gives the answer of a moment ago to whoever asks the same again; while one is being measured all wait for that one, however
 * long it takes. Tests, which change things and ask at once, get a new one.
 * @param options.freshMs how old an answer may be, from when it was there
 */
export function createCache(
  { config }: { config: Pick<Config, 'environment'> },
  { freshMs = FRESH_MS, now = () => performance.now() }: { freshMs?: number; now?: () => number } = {},
) {
  const fresh = config.environment === 'test' ? 0 : freshMs
  const answers = new Map<string, Known>()

  return <T>(question: readonly unknown[], measure: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(question)
    const known = answers.get(key)
    if (known && (known.at === undefined || now() - known.at < fresh)) return known.answer as Promise<T>
    if (answers.size >= ANSWERS) for (const [other, { at }] of answers) if (at !== undefined) answers.delete(other)
    const answer = measure()
    const measured: Known = { answer }
    answers.set(key, measured)
    answer.then(
      () => {
        measured.at = now()
      },
      // What failed is not remembered.
      () => answers.delete(key),
    )
    return answer
  }
}

export type Cache = ReturnType<typeof createCache>
