import { clientNetworkOf, every, type Logger } from '@tidenet/daemon'
import type { Visit } from './gate.ts'

/** What visitors have open: how much of it, and for how long they may. */

/** Open at the same time. A program and its workspace count for all visitors, a client for all programs. */
const REQUESTS_MAX = { program: 512, workspace: 1024, client: 256 }
/** Between two looks at whether visitors may stay: the end of an access is noticed within this time and a second. */
const LOOK_MS = { usual: 5000, quick: 250 }
const LOOKS_AT_ONCE = 8

interface OpenVisit {
  visit: Visit
  end: () => void
}

/**
 * @param mayStay whether a visitor who was let in would be let in again; while it throws, visitors stay
 */
export function createVisits(options: {
  mayStay: (visit: Visit) => Promise<boolean>
  pace: keyof typeof LOOK_MS
  log: Logger
}) {
  const { mayStay, pace, log } = options
  const open = new Set<OpenVisit>()
  const programs = createCounter(REQUESTS_MAX.program)
  const workspaces = createCounter(REQUESTS_MAX.workspace)
  const clients = createCounter(REQUESTS_MAX.client)

  async function look(): Promise<void> {
    const failures: unknown[] = []
    const all = open.values()
    const worker = async () => {
      for (const { visit, end } of all)
        try {
          if (!(await mayStay(visit))) end()
        } catch (error) {
          failures.push(error)
        }
    }
    await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, worker))
    if (failures.length > 0) throw failures[0]
  }
  const looks = every(LOOK_MS[pace], look, { name: 'visitors of programs', log })

  return {
    /**
     * Counts a visit until the returned function is called. Undefined: there are too many.
     * @param end is called if the visitor may not stay
     */
    begin(visit: Visit, end: () => void): (() => void) | undefined {
      const { workload, workspace } = visit.row
      const releases: (() => void)[] = []
      for (const release of [
        programs.take(workload),
        workspaces.take(workspace),
        clients.take(clientNetworkOf(visit.ip)),
      ])
        if (release) releases.push(release)
      const each = { visit, end }
      if (releases.length < 3) {
        for (const release of releases) release()
        return undefined
      }
      open.add(each)
      return () => {
        open.delete(each)
        for (const release of releases.splice(0)) release()
      }
    },
    stop: () => looks.stop(),
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
