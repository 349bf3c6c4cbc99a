import type { Size, WorkloadSpec } from './driver.ts'

export const GB = 1024 ** 3

/** What several sizes take together. */
export function sum(sizes: Iterable<Size>): Size {
  const total = { cpu: 0, memory: 0, storage: 0 }
  for (const { cpu, memory, storage } of sizes) {
    total.cpu += cpu
    total.memory += memory
    total.storage += storage
  }
  return total
}

/** Cores are counted in thousandths: 0.1 and 0.2 fit in 0.3. */
export const within = (size: Size, bounds: Size): boolean =>
  Math.round(size.cpu * 1000) <= Math.round(bounds.cpu * 1000) &&
  size.memory <= bounds.memory &&
  size.storage <= bounds.storage

/** Whether a workload fits in a workspace beside those that are there, of which it may be one. */
export const fitsBeside = (
  bounds: Size,
  present: readonly { workload: string; size: Size }[],
  added: Pick<WorkloadSpec, 'id' | 'size'>,
): boolean =>
  within(sum([added.size, ...present.filter(({ workload }) => workload !== added.id).map(({ size }) => size)]), bounds)

/** A part of a core, of memory and of disk; at least so much of each as the console takes. */
const LEAST: Size = { cpu: 0.1, memory: 32 * 1024 ** 2, storage: GB }
const STEP: Size = LEAST
/** Of what was bought, what the machine gets that comes with it. */
const MACHINE = 3 / 4

const inSteps = (part: keyof Size, amount: number): number =>
  Math.max(LEAST[part], Math.floor(Math.round((amount / STEP[part]) * 1000) / 1000) * STEP[part])

/**
 * What the machine gets that a workspace begins with: not all of it, so that something fits beside it. It can be given the rest; of its disk,
 * which does not shrink, nothing could be taken back.
 */
export const machineSize = ({ cpu, memory, storage }: Size): Size => ({
  cpu: Math.round(inSteps('cpu', cpu * MACHINE) * 1000) / 1000,
  memory: inSteps('memory', memory * MACHINE),
  storage: inSteps('storage', storage * MACHINE),
})
