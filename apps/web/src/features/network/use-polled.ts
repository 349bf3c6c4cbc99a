import type { Input, OperationName, Output, RouteOf } from '@tidenet/contract'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'

export interface Polled<T> {
  data: T | undefined
  /** The last request failed; `data` is the previous answer. */
  failed: boolean
}

/**
 * Polls an operation while the page is visible. Does not use the query client, so that landing pages need not load it.
 * @param input must stay the same object
 * @param trigger polls at once when it changes
 */
export function usePolled<N extends OperationName>(
  name: N,
  input: Input<RouteOf<N>>,
  everyMs: number,
  trigger?: unknown,
): Polled<Output<RouteOf<N>>> {
  const [state, setState] = useState<Polled<Output<RouteOf<N>>>>({ data: undefined, failed: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `trigger` only restarts polling
  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async () => {
      clearTimeout(timer)
      if (!document.hidden)
        await api(name, input, { signal: controller.signal }).then(
          (data) => setState({ data, failed: false }),
          () => !controller.signal.aborted && setState(({ data }) => ({ data, failed: true })),
        )
      if (!controller.signal.aborted) timer = setTimeout(poll, everyMs)
    }
    const onVisibilityChange = () => void (!document.hidden && poll())
    document.addEventListener('visibilitychange', onVisibilityChange)
    void poll()
    return () => {
      controller.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibilityChange)
    }
  }, [name, input, everyMs, trigger])
  return state
}
