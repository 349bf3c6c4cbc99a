import type { V1Container, V1Node, V1Pod } from '@kubernetes/client-node'
import type { GpuNode, GpuPower, Power } from '../driver.ts'
import { LABEL } from './manifests.ts'
import { bytesOf, coresOf } from './quantities.ts'
import { GPU, type PodSettings, runsOn, withGpus } from './settings.ts'

/** Where GPUs are, and who has them. */

const NOTHING: GpuPower = { cpu: 0, memory: 0, gpus: 0 }

const added = (one: GpuPower, other: GpuPower, sign = 1): GpuPower => ({
  cpu: one.cpu + sign * other.cpu,
  memory: one.memory + sign * other.memory,
  gpus: one.gpus + sign * other.gpus,
})

const quantitiesOf = (from: Readonly<Record<string, string>> = {}): GpuPower => ({
  cpu: coresOf(from.cpu),
  memory: bytesOf(from.memory),
  gpus: Number(from[GPU] ?? 0),
})

// Kubernetes takes limits for requests that are not stated.
const requestsOf = ({ resources }: V1Container): GpuPower =>
  quantitiesOf({ ...resources?.limits, ...resources?.requests })

function requestsOfPod({ spec }: V1Pod): GpuPower {
  const total = (spec?.containers ?? []).map(requestsOf).reduce((one, other) => added(one, other), NOTHING)
  // Containers that only start up run one after another, before the others.
  const first = (spec?.initContainers ?? []).map(requestsOf)
  return {
    cpu: Math.max(total.cpu, ...first.map(({ cpu }) => cpu)),
    memory: Math.max(total.memory, ...first.map(({ memory }) => memory)),
    gpus: Math.max(total.gpus, ...first.map(({ gpus }) => gpus)),
  }
}

const isOver = ({ status }: V1Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed'

/** Nodes with GPUs for programs. @param pods of all namespaces: others use the nodes, too */
export function gpuNodesOf(
  nodes: readonly V1Node[],
  pods: readonly V1Pod[],
  settings: PodSettings & { installation: string },
): GpuNode[] {
  return nodes
    .filter((node) => runsOn(node, withGpus(settings)) && quantitiesOf(node.status?.allocatable).gpus > 0)
    .map((node) => {
      const own = pods.filter((pod) => pod.spec?.nodeName === node.metadata?.name && !isOver(pod))
      const taken: Record<string, GpuPower> = {}
      let free = quantitiesOf(node.status?.allocatable)
      for (const pod of own) {
        const requests = requestsOfPod(pod)
        free = added(free, requests, -1)
        const { [LABEL.installation]: installation, [LABEL.workspace]: workspace } = pod.metadata?.labels ?? {}
        if (requests.gpus > 0 && installation === settings.installation && workspace)
          taken[workspace] = added(taken[workspace] ?? NOTHING, requests)
      }
      return { ...free, taken }
    })
}

/** What nodes have on which only workspaces with GPUs run. */
export const apartOf = (nodes: readonly V1Node[], settings: PodSettings): Power =>
  nodes
    .filter((node) => runsOn(node, withGpus(settings)) && !runsOn(node, settings))
    .map((node) => quantitiesOf(node.status?.allocatable))
    .filter(({ gpus }) => gpus > 0)
    .reduce((one, { cpu, memory }) => ({ cpu: one.cpu + cpu, memory: one.memory + memory }), { cpu: 0, memory: 0 })
