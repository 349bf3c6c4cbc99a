import type { PlatformConfig } from './config.ts'

// TTL = max(5 s, 10 × query duration): expensive queries run less often.
const MIN_TTL_MS = 5000
const TTL_PER_DURATION = 10
const MAX_ENTRIES = 500

interface Entry {
  result: Promise<unknown>
  /** Undefined while the query is running. */
  expiresAt?: number
}

/**
 * Caches query results. Concurrent calls with the same key share one query. At the quick pace, finished results are not reused.
 * @param options.minTtlMs counts from the end of the query
 */
export function createCache(
  { config }: { config: Pick<PlatformConfig, 'pace'> },
  { minTtlMs = MIN_TTL_MS, now = () => performance.now() }: { minTtlMs?: number; now?: () => number } = {},
) {
  const ttl = (duration: number) => (config.pace === 'quick' ? 0 : Math.max(minTtlMs, duration * TTL_PER_DURATION))
  const entries = new Map<string, Entry>()

  return <T>(keyParts: readonly unknown[], query: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(keyParts)
    const cached = entries.get(key)
    if (cached && (cached.expiresAt === undefined || now() < cached.expiresAt)) return cached.result as Promise<T>
    if (entries.size >= MAX_ENTRIES)
      for (const [other, { expiresAt }] of entries) if (expiresAt !== undefined) entries.delete(other)
    const start = now()
    const result = query()
    const entry: Entry = { result }
    entries.set(key, entry)
    result.then(
      () => {
        entry.expiresAt = now() + ttl(now() - start)
      },
      // Failures are not cached.
      () => entries.delete(key),
    )
    return result
  }
}

export type Cache = ReturnType<typeof createCache>
