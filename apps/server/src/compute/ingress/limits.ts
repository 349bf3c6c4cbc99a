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
      const releases: (() => void)[] = []
      for (const release of [programs.take(workload), workspaces.take(workspace), clients.take(client)])
        if (release) releases.push(release)
      const release = () => {
        for (const each of releases.splice(0)) each()
      }
      if (releases.length === 3) return release
      release()
      return undefined
    },
  }
}

/** Counts what is open by key, up to a limit. `take` returns the function that ends it, or undefined. */
export function createCounter(most: number) {
  const counts = new Map<string, number>()
  return {
    take(key: string): (() => void) | undefined {
      const count = counts.get(key) ?? 0
      if (count >= most) return undefined
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}
