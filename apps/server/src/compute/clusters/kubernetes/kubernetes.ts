import type { ClusterDriver, Probe, Size } from '../driver.ts'
import { sum } from '../sizes.ts'
import { asFailure, messageOf } from './api.ts'
import { insideMethods } from './inside.ts'
import { type KubernetesOptions, openParts, type Parts } from './parts.ts'
import { bytesOf, coresOf } from './quantities.ts'
import { workloadMethods } from './workloads.ts'
import { workspaceMethods } from './workspaces.ts'

/** Runs workloads on Kubernetes: a namespace for each workspace, a stateful set for each workload. */
export function createKubernetesDriver(options: KubernetesOptions): ClusterDriver {
  const parts = openParts(options)
  let probing: Promise<Probe> | undefined
  return {
    kind: 'kubernetes',
    list: parts.list,
    ...workspaceMethods(parts),
    ...workloadMethods(parts),
    ...insideMethods(parts),

    async probe(again = false) {
      if (again) probing = undefined
      probing ??= probeCluster(parts)
      const found = await probing
      // Only `ready` is cached, so an absent cluster is searched for again.
      if (found.state !== 'ready') probing = undefined
      return found
    },

    async capacity(): Promise<Size> {
      const { items } = await parts
        .api()
        .core.listNode()
        .catch((error) => {
          throw asFailure(error)
        })
      return sum(
        items
          .filter(({ spec }) => !spec?.unschedulable)
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

async function probeCluster({ api, options }: Parts): Promise<Probe> {
  const what = options.file || 'the default kubeconfig'
  try {
    const { core, version } = api()
    const { gitVersion } = await version.getCode()
    const { items } = await core.listNode()
    const ready = items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
    )
    const facts = {
      engine: `Kubernetes ${gitVersion}`,
      nodes: String(ready.length),
      storage: `metered, storage class ${options.storageClass || 'of the cluster (default)'}`,
      network: 'a network policy for each workspace',
    }
    if (ready.length === 0)
      return { state: 'absent', reason: 'no node is ready', facts, tried: [{ what, result: 'no node is ready' }] }
    return { state: 'ready', reason: '', facts, tried: [{ what, result: 'ready' }] }
  } catch (error) {
    const reason = messageOf(error)
    return { state: 'absent', reason, facts: {}, tried: [{ what, result: reason }] }
  }
}
