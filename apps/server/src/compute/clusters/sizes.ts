import type { Size, WorkloadSpec } from './driver.ts'

export const GB = 1024 ** 3

/** The sum of sizes. */
export function sum(sizes: Iterable<Size>): Size {
  const total = { cpu: 0, memory: 0, storage: 0 }
  for (const { cpu, memory, storage } of sizes) {
    total.cpu += cpu
    total.memory += memory
    total.storage += storage
  }
  return total
}

/** Compares cores in thousandths, so that 0.1 + 0.2 fits in 0.3. */
export const fitsIn = (size: Size, limit: Size): boolean =>
  Math.round(size.cpu * 1000) <= Math.round(limit.cpu * 1000) &&
  size.memory <= limit.memory &&
  size.storage <= limit.storage

/** Whether a workload fits in a workspace with the present ones. `present` may include the workload itself. */
export const fitsBeside = (
  limit: Size,
  present: readonly { workload: string; size: Size }[],
  added: Pick<WorkloadSpec, 'id' | 'size'>,
): boolean =>
  fitsIn(sum([added.size, ...present.filter(({ workload }) => workload !== added.id).map(({ size }) => size)]), limit)

/** What is left of a limit; never negative. */
export const leftOf = (limit: Size, used: Size): Size => ({
  cpu: Math.max(0, Math.round((limit.cpu - used.cpu) * 1000) / 1000),
  memory: Math.max(0, limit.memory - used.memory),
  storage: Math.max(0, limit.storage - used.storage),
})

/** The smallest size that the console accepts, also the rounding step. */
const STEP: Size = { cpu: 0.1, memory: 32 * 1024 ** 2, storage: GB }
/** The machine's share of its workspace. */
const MACHINE_SHARE = 3 / 4

const roundDown = (part: keyof Size, amount: number): number =>
  Math.max(STEP[part], Math.floor(Math.round((amount / STEP[part]) * 1000) / 1000) * STEP[part])

/**
 * The initial size of a workspace's machine. It leaves resources for a second workload. The machine can be enlarged later, but its disk
 * can never be made smaller.
 */
export const machineSize = ({ cpu, memory, storage }: Size): Size => ({
  cpu: Math.round(roundDown('cpu', cpu * MACHINE_SHARE) * 1000) / 1000,
  memory: roundDown('memory', memory * MACHINE_SHARE),
  storage: roundDown('storage', storage * MACHINE_SHARE),
})
