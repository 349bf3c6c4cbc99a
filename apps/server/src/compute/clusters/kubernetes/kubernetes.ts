import type { ClusterDriver, Probe, Size } from '../driver.ts'
import { sum } from '../sizes.ts'
import { asFailure } from './api.ts'
import { insideMethods } from './inside.ts'
import { type KubernetesOptions, openParts } from './parts.ts'
import { isReady, probeCluster } from './probe.ts'
import { bytesOf, coresOf } from './quantities.ts'
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
  // Without a class, asking would only delay the first program.
  if (options.runtimeClass !== '')
    parts.setKernel(async () => ((await probe()).facts.kernel === 'own' ? 'own' : 'shared'))

  return {
    kind: 'kubernetes',
    checksHealth: true,
    keepsLogins: true,
    list: parts.list,
    ...workspaceMethods(parts),
    ...workloadMethods(parts),
    ...insideMethods(parts),

    probe,

    async capacity(): Promise<Size> {
      const { items } = await parts
        .api()
        .core.listNode()
        .catch((error) => {
          throw asFailure(error)
        })
      return sum(
        items
          .filter((node) => isReady(node) && runsOn(node, options))
          .map(({ status }) => ({
            cpu: coresOf(status?.allocatable?.cpu),
            memory: bytesOf(status?.allocatable?.memory),
            // Kubernetes does not report the capacity of a storage class, so it is treated as unlimited.
            storage: Number.MAX_SAFE_INTEGER / 1000,
          })),
      )
    },

    async close() {
      parts.closeApi()
    },
  }
}
