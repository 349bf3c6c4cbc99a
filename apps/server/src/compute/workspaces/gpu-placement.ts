import type { GpuNode, GpuPower } from '../clusters/driver.ts'

/** Whether one node has the GPUs of an order: a workload cannot use those of several. */

/** What the machine of an order needs. */
export interface GpuOrder extends GpuPower {
  workspace: string
}

/**
 * What the nodes have free when all that are sold have theirs. Those that are not on a node yet are spread, as Kubernetes does by default:
 * each is on the node with the most free GPUs.
 * @param sold without the order that is changed; what that has now becomes free
 */
export function freeAfter(nodes: readonly GpuNode[], sold: readonly GpuOrder[], changed = ''): GpuPower[] {
  const free = nodes.map(({ gpus, cpu, memory }) => ({ gpus, cpu, memory }))
  const release = (workspace: string): void =>
    nodes.forEach(({ taken }, at) => {
      const own = taken[workspace]
      if (own) add(free[at] as GpuPower, own, 1)
    })
  release(changed)
  const waiting = sold.filter(({ workspace, gpus }) => {
    const has = nodes.reduce((sum, { taken }) => sum + (taken[workspace]?.gpus ?? 0), 0)
    if (has === gpus) return false
    release(workspace)
    return true
  })
  // What fits nowhere waits for a node that is away, and could not use what others leave.
  for (const one of waiting.sort((first, second) => second.gpus - first.gpus)) takeNode(free, one)
  return free
}

/** Takes GPUs of the node with the most free ones. @returns false if no node has enough */
export function takeNode(free: readonly GpuPower[], needs: GpuPower): boolean {
  const [most] = free
    .filter(({ gpus, cpu, memory }) => gpus >= needs.gpus && cpu >= needs.cpu && memory >= needs.memory)
    .sort((first, second) => second.gpus - first.gpus)
  if (most) add(most, needs, -1)
  return most !== undefined
}

function add(to: GpuPower, { gpus, cpu, memory }: GpuPower, sign: 1 | -1): void {
  to.gpus += sign * gpus
  to.cpu += sign * cpu
  to.memory += sign * memory
}
