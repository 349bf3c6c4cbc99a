import type { Config } from '../config.ts'

/** Answers for everybody may be this old. */
const FRESH_MS = 5000
const ANSWERS = 500

/** Gives the answer of a moment ago to whoever asks the same again. Tests, which change things and ask at once, get a new one. */
export function createCache({ config }: { config: Pick<Config, 'environment'> }) {
  const fresh = config.environment === 'test' ? 0 : FRESH_MS
  const answers = new Map<string, { at: number; answer: Promise<unknown> }>()

  return <T>(question: readonly unknown[], measure: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(question)
    const known = answers.get(key)
    if (known && performance.now() - known.at < fresh) return known.answer as Promise<T>
    if (answers.size >= ANSWERS) answers.clear()
    const answer = measure()
    answers.set(key, { at: performance.now(), answer })
    // What failed is not remembered.
    answer.catch(() => answers.delete(key))
    return answer
  }
}

export type Cache = ReturnType<typeof createCache>
