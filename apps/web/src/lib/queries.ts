import { useQuery as baseQuery, keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Input, OperationName, RouteOf } from '@tidenet/contract'
import { paths } from '@tidenet/contract/paths.gen'
import { ApiError, api, registerPaths } from './api.ts'
import { onUserChange } from './session-store.ts'

registerPaths(paths)

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A browser that says it is offline may still reach a portal nearby; where it does not, people are told instead of kept waiting.
      networkMode: 'always',
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.kind === 'network' || error.kind === 'server'),
    },
    mutations: { retry: false },
  },
})

onUserChange(() => queries.clear())

/** A query of one operation; its key is the operation's name and input. */
export function query<N extends OperationName>(name: N, input: Input<RouteOf<N>>) {
  return queryOptions({ queryKey: [name, input] as const, queryFn: ({ signal }) => api(name, input, { signal }) })
}

/** Spread into a query: shows the page before while the next one loads. */
export const paged = { placeholderData: keepPreviousData } as const

/** Makes every loaded answer of these operations load again. */
export function refresh(...names: OperationName[]): void {
  for (const name of names) void queries.invalidateQueries({ queryKey: [name] })
}

// With the client at hand nobody needs a provider: pages that ask nothing do not carry all this.
export const useQuery = ((options) => baseQuery(options, queries)) as typeof baseQuery
