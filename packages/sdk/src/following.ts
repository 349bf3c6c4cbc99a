/**
 * Does work that ends with the caller's signal. The listener is taken away by hand: of several with the option `signal`, Node may forget to
 * take away all but the last.
 */
export async function following<T>(
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
