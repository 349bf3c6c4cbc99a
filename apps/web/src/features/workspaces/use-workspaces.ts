import type { ConsoleWorkload, ConsoleWorkspace } from '@tidenet/contract'
import { ask, useAsk } from './queries.ts'

/** How often it is looked at what runs, in ms: while something changes, and otherwise. */
const SOON = 2000
const LATER = 10_000

const isChanging = (spaces: readonly ConsoleWorkspace[]): boolean =>
  spaces.some(
    ({ state, workloads }) =>
      state === 'making' ||
      workloads.some((one) => one.state === 'starting' || (one.state === 'running' && !one.wanted)),
  )

/** The workspaces of the account, kept up to date. */
export function useWorkspaces() {
  return useAsk({
    ...ask('clusters.workspaces', {}),
    refetchInterval: ({ state }) => (state.data && isChanging(state.data.list) ? SOON : LATER),
  })
}

/** Where a workload is; undefined while that is not known, null when there is none of this id any more. */
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
