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
      // A browser that reports being offline may still reach a local portal; otherwise show the error instead of waiting.
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

/** Spread into a query: shows the previous page while the next one loads. */
export const paged = { placeholderData: keepPreviousData } as const

/** Reloads all loaded results of these operations, and those that are being loaded: their answer may be older than the change. */
export function refresh(...names: OperationName[]): void {
  for (const name of names) {
    // An invalidation restarts a load only if the query has data already.
    for (const { state, promise, queryKey } of queries.getQueryCache().findAll({ queryKey: [name] })) {
      const again = () => void queries.invalidateQueries({ queryKey })
      if (state.data === undefined) promise?.then(again, again)
    }
    void queries.invalidateQueries({ queryKey: [name] })
  }
}

// Passing the client directly avoids a provider, so pages without queries do not load this library.
export const useQuery = ((options) => baseQuery(options, queries)) as typeof baseQuery
