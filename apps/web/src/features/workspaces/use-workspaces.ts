import type { ConsoleWorkload, ConsoleWorkspace } from '@tidenet/contract'
import { consoleQuery, useConsoleQuery } from './queries.ts'

/** Polled more often while something is changing. */
const CHANGING_REFRESH_MS = 2000
const REFRESH_MS = 10_000

const isChanging = (spaces: readonly ConsoleWorkspace[]): boolean =>
  spaces.some(
    ({ state, workloads }) =>
      state === 'making' ||
      workloads.some((one) => one.state === 'starting' || (one.state === 'running' && !one.wanted)),
  )

/** The workspaces of the account, polled. */
export function useWorkspaces() {
  return useConsoleQuery({
    ...consoleQuery('clusters.workspaces', {}),
    refetchInterval: ({ state }) => (state.data && isChanging(state.data.list) ? CHANGING_REFRESH_MS : REFRESH_MS),
  })
}

/** A workload with its workspace; undefined while loading, null if it does not exist. */
export function findWorkload(
  list: readonly ConsoleWorkspace[] | undefined,
  id: string,
): { workload: ConsoleWorkload; space: ConsoleWorkspace } | null | undefined {
  if (!list) return undefined
  for (const space of list) {
    const workload = space.workloads.find((one) => one.id === id)
    if (workload) return { workload, space }
  }
  return null
}
