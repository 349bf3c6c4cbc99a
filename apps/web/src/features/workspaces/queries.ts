import { useQuery as baseQuery, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Input, OperationName, RouteOf } from '@tidenet/contract'
import { ApiError } from '../../lib/api.ts'
// Contains the table of all operations.
import '../../lib/queries.ts'
import { call, onConsoleChange } from './session.ts'

/** A separate cache: signing out of the portal clears its cache, but not the console's. */
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
export function consoleQuery<N extends OperationName>(name: N, input: Input<RouteOf<N>>) {
  return queryOptions({ queryKey: [name, input] as const, queryFn: ({ signal }) => call(name, input, { signal }) })
}

export const useConsoleQuery = ((options) => baseQuery(options, own)) as typeof baseQuery

/** Reloads all queries of these operations. */
export const refreshConsole = (...names: OperationName[]): Promise<unknown> =>
  Promise.all(names.map((name) => own.invalidateQueries({ queryKey: [name] })))
