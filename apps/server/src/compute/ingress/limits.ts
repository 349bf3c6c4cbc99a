import { createCounter, takeAll } from '../counter.ts'
import type { TargetRow } from '../workspaces/addresses.ts'

/** Requests and connections by TCP that are open at the same time. A program and its workspace count for all visitors, a client for all programs. */
const OPEN_MAX = { program: 512, workspace: 1024, client: 256 }

export type Limits = ReturnType<typeof createLimits>

export function createLimits() {
  const programs = createCounter(OPEN_MAX.program)
  const workspaces = createCounter(OPEN_MAX.workspace)
  const clients = createCounter(OPEN_MAX.client)
  return {
    /** Counts until the returned function is called. Undefined: there are too many. @param client its network */
    take({ workload, workspace }: Pick<TargetRow, 'workload' | 'workspace'>, client: string): (() => void) | undefined {
      return takeAll([programs.take(workload), workspaces.take(workspace), clients.take(client)])
    },
  }
}
