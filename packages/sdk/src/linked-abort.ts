/**
 * Runs work that stops with the caller's signal. Removes the listener explicitly: if several are added with the option `signal`, Node.js
 * may forget to remove all but the last.
 */
export async function withLinkedAbort<T>(
  signal: AbortSignal | undefined,
  stop: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  const onAbort = () => stop.abort()
  signal?.addEventListener('abort', onAbort)
  try {
    return await work()
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
