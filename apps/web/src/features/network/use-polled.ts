import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'

export interface Polled<T> {
  data: T | undefined
  /** The last attempt brought nothing; what was known before stays. */
  failed: boolean
}

/**
 * Asks one operation again and again while the page is looked at. Without the query client, which the first page of a visit can do without.
 * @param input must stay the same object
 * @param news asks at once when it changes
 */
export function usePolled<N extends OperationName>(
  name: N,
  input: Input<RouteOf<N>>,
  everyMs: number,
  news?: unknown,
): Polled<Output<RouteOf<N>>> {
  const [state, setState] = useState<Polled<Output<RouteOf<N>>>>({ data: undefined, failed: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: news are only a reason to ask
  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      clearTimeout(timer)
      if (!document.hidden)
        await api(name, input, { signal: controller.signal }).then(
          (data) => setState({ data, failed: false }),
          () => !controller.signal.aborted && setState(({ data }) => ({ data, failed: true })),
        )
      if (!controller.signal.aborted) timer = setTimeout(ask, everyMs)
    }
    const look = () => void (!document.hidden && ask())
    document.addEventListener('visibilitychange', look)
    void ask()
    return () => {
      controller.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [name, input, everyMs, news])
  return state
}
