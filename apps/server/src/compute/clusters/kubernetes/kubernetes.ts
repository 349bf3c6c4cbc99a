import type { ClusterDriver, Probe, Size } from '../driver.ts'
import { sum } from '../sizes.ts'
import { asFailure, messageOf } from './api.ts'
import { insideOf } from './inside.ts'
import { type KubernetesOptions, openParts, type Parts } from './parts.ts'
import { bytesOf, coresOf } from './quantities.ts'
import { workloadsOf } from './workloads.ts'
import { workspacesOf } from './workspaces.ts'

/** Runs workloads on Kubernetes: a namespace for each workspace, a stateful set for each workload. */
export function createKubernetesDriver(options: KubernetesOptions): ClusterDriver {
  const parts = openParts(options)
  let probing: Promise<Probe> | undefined
  return {
    kind: 'kubernetes',
    list: parts.list,
    ...workspacesOf(parts),
    ...workloadsOf(parts),
    ...insideOf(parts),

    async probe(again = false) {
      if (again) probing = undefined
      probing ??= look(parts)
      const found = await probing
      // An absent one is looked for again; a present one shows itself when it is asked for something.
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
            // What a storage class can hand out is not said anywhere: its own refusal is waited for.
            storage: Number.MAX_SAFE_INTEGER / 1000,
          })),
      )
    },

    async close() {
      parts.closeApi()
    },
  }
}

async function look({ api, options }: Parts): Promise<Probe> {
  const what = options.file || 'the usual kubeconfig'
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
      storage: `metered, by the storage class ${options.storageClass || 'that is usual there'}`,
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
