import type { V1Node } from '@kubernetes/client-node'
import type { ClusterDriver, Probe } from '../driver.ts'
import { sum } from '../sizes.ts'
import { asFailure, ignoreNotFound } from './api.ts'
import { apartOf, gpuNodesOf } from './gpu-nodes.ts'
import { ingressMethods } from './ingress.ts'
import { insideMethods } from './inside.ts'
import { type KubernetesOptions, openParts } from './parts.ts'
import { isReady, probeCluster } from './probe.ts'
import { bytesOf, coresOf } from './quantities.ts'
import { candidateOf, gvisorClasses, runtimeOf } from './runtimes.ts'
import { runsOn } from './settings.ts'
import { workloadMethods } from './workloads.ts'
import { workspaceMethods } from './workspaces.ts'

/** Runs workloads on Kubernetes: a namespace for each workspace, a stateful set for each workload. */
export function createKubernetesDriver(options: KubernetesOptions): ClusterDriver {
  const parts = openParts(options)
  let probing: Promise<Probe> | undefined
  async function probe(again = false): Promise<Probe> {
    if (again) probing = undefined
    probing ??= probeCluster(parts)
    const found = await probing
    // Only `ready` is cached, so an absent cluster is searched for again.
    if (found.state !== 'ready') probing = undefined
    return found
  }
  parts.setRuntime(async () => {
    // Otherwise the tests would only delay the first program.
    const decides = options.runtimeClass !== '' || (await gvisorClasses(parts.api())).length > 0
    return decides ? runtimeOf(await probe(), options.runtimeClass) : { runtimeClass: '', kernel: 'shared' }
  })
  /** Labels of the nodes that run programs: those of the setting, and of the runtime class. */
  async function nodesOfPrograms(): Promise<string> {
    const { runtimeClass } = await parts.runtime()
    if (runtimeClass === '') return options.nodes
    const found = await parts.api().node.readRuntimeClass({ name: runtimeClass }).catch(ignoreNotFound)
    return found ? candidateOf(found, options.nodes).nodes : options.nodes
  }

  async function readyNodes(): Promise<V1Node[]> {
    const { items } = await parts
      .api()
      .core.listNode()
      .catch((error) => {
        throw asFailure(error)
      })
    return items.filter(isReady)
  }

  return {
    kind: 'kubernetes',
    checksHealth: true,
    keepsLogins: true,
    list: parts.list,
    ...workspaceMethods(parts),
    ...workloadMethods(parts),
    ...insideMethods(parts),
    ...ingressMethods(parts),

    probe,

    async capacity() {
      const settings = { ...options, nodes: await nodesOfPrograms() }
      const nodes = await readyNodes()
      const { cpu, memory } = sum(
        nodes
          .filter((node) => runsOn(node, settings))
          .map(({ status }) => ({
            cpu: coresOf(status?.allocatable?.cpu),
            memory: bytesOf(status?.allocatable?.memory),
            storage: 0,
          })),
      )
      // Kubernetes does not report the capacity of a storage class, so it is treated as unlimited.
      const storage = Number.MAX_SAFE_INTEGER / 1000
      return { cpu, memory, storage, ...(options.sellsGpus && { apart: apartOf(nodes, settings) }) }
    },

    ...(options.sellsGpus && {
      async gpuNodes() {
        const nodes = await readyNodes()
        const { items } = await parts
          .api()
          .core.listPodForAllNamespaces({ fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' })
          .catch((error) => {
            throw asFailure(error)
          })
        return gpuNodesOf(nodes, items, options)
      },
    }),

    async close() {
      parts.closeApi()
    },
  }
}
