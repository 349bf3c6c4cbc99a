import type { Resources } from '@tidenet/contract/price'
import { fitting, QUANTITIES } from './terms.ts'

/** A machine as it stands in an address: `2-4-80-168`. */
export const fromMachine = (machine: Resources): string => QUANTITIES.map((key) => machine[key]).join('-')

/** The machine of such a text, within what can be bought; undefined when it is none. */
export function machineIn(text: string | undefined): Resources | undefined {
  const [, cpu, ram, storage, duration] = /^(\d{1,4})-(\d{1,4})-(\d{1,4})-(\d{1,4})$/.exec(text ?? '') ?? []
  if (duration === undefined) return undefined
  return {
    cpu: fitting('cpu', Number(cpu)),
    ram: fitting('ram', Number(ram)),
    storage: fitting('storage', Number(storage)),
    duration: fitting('duration', Number(duration)),
  }
}
