/** Faults of the stand-in partner, for tests and demonstrations. */

export const FAULT_CALLS = ['lookup', 'credit', 'find', 'revoke', 'any'] as const
/**
 * `slow`: answers after `ms`. `error before`: 500 without effect. `error after`: 500 after the effect. `lost before` and `lost after`: closes
 * the connection instead. `duplicate`: 409 for a key that is known, instead of what became of it.
 */
export const FAULT_KINDS = ['slow', 'error before', 'error after', 'lost before', 'lost after', 'duplicate'] as const

export interface Fault {
  on: (typeof FAULT_CALLS)[number]
  kind: (typeof FAULT_KINDS)[number]
  /** Requests that it affects. Default 1. */
  times?: number
  ms?: number
}

export type FaultCall = Exclude<Fault['on'], 'any'>

export function createFaults() {
  let waiting: Required<Fault>[] = []
  return {
    set(faults: readonly Fault[]): void {
      waiting = faults.map((fault) => ({ times: 1, ms: 3000, ...fault }))
    },
    /** The fault of this request, which counts as one of its times. */
    next(call: FaultCall): Required<Fault> | undefined {
      const fault = waiting.find(({ on, times }) => times > 0 && (on === call || on === 'any'))
      if (fault) fault.times--
      return fault
    },
  }
}

export const isFault = (value: unknown): value is Fault => {
  const { on, kind, times = 1, ms = 0 } = (value ?? {}) as Partial<Fault>
  return (
    FAULT_CALLS.includes(on as Fault['on']) &&
    FAULT_KINDS.includes(kind as Fault['kind']) &&
    Number.isInteger(times) &&
    Number.isInteger(ms)
  )
}
