import { useQuery as baseQuery, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Input, OperationName, RouteOf } from '@tidenet/contract'
import { ApiError } from '../../lib/api.ts'
// Brings the table of all operations along.
import '../../lib/queries.ts'
import { call, onConsoleChange } from './session.ts'

/** A cache of its own: whoever signs out of the portal forgets what the portal showed, not what the console shows. */
const own = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.kind === 'network' || error.kind === 'server'),
    },
  },
})
onConsoleChange((ended) => (ended ? own.clear() : void own.resetQueries()))

/** A query of one operation of the console. */
export function ask<N extends OperationName>(name: N, input: Input<RouteOf<N>>) {
  return queryOptions({ queryKey: [name, input] as const, queryFn: ({ signal }) => call(name, input, { signal }) })
}

export const useAsk = ((options) => baseQuery(options, own)) as typeof baseQuery

/** Makes every loaded answer of these operations load again. */
export const askAgain = (...names: OperationName[]): Promise<unknown> =>
  Promise.all(names.map((name) => own.invalidateQueries({ queryKey: [name] })))
