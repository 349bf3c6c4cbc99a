import { clientNetworkOf, every, type Logger } from '@tidenet/daemon'
import type { Visit } from './gate.ts'
import type { Limits } from './limits.ts'

/** What visitors have open, and for how long they may. */

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
  limits: Limits
  pace: keyof typeof LOOK_MS
  log: Logger
}) {
  const { mayStay, limits, pace, log } = options
  const open = new Set<OpenVisit>()

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
      const release = limits.take(visit.row, clientNetworkOf(visit.ip))
      if (!release) return undefined
      const each = { visit, end }
      open.add(each)
      return () => {
        open.delete(each)
        release()
      }
    },
    stop: () => looks.stop(),
  }
}
