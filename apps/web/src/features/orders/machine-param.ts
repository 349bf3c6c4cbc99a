import type { Resources } from '@tidenet/contract/price'
import { clamp, QUANTITIES } from './terms.ts'

/** A machine as a URL parameter: `2-4-80-168` (CPU, memory, storage, hours). */
export const machineParam = (machine: Resources): string => QUANTITIES.map((key) => machine[key]).join('-')

/** Parses the parameter and clamps it to what can be bought; undefined if it is malformed. */
export function parseMachineParam(text: string | undefined): Resources | undefined {
  const [, cpu, ram, storage, duration] = /^(\d{1,4})-(\d{1,4})-(\d{1,4})-(\d{1,4})$/.exec(text ?? '') ?? []
  if (duration === undefined) return undefined
  return {
    cpu: clamp('cpu', Number(cpu)),
    ram: clamp('ram', Number(ram)),
    storage: clamp('storage', Number(storage)),
    duration: clamp('duration', Number(duration)),
  }
}
