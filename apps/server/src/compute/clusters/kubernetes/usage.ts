import type { Usage } from '../driver.ts'
import { type Api, asFailure } from './api.ts'
import { CONTAINER } from './manifests.ts'

/** The fields of a kubelet's `stats/summary` that we use. */
interface Summary {
  pods?: {
    podRef: { uid: string }
    network?: { rxBytes?: number; txBytes?: number }
    volume?: { usedBytes?: number; pvcRef?: unknown }[]
    containers?: {
      name: string
      cpu?: { usageCoreNanoSeconds?: number }
      memory?: { workingSetBytes?: number }
      rootfs?: { usedBytes?: number }
    }[]
  }[]
}

/** Resource usage of a pod. @throws ClusterError */
export async function usedBy(
  { core }: Pick<Api, 'core'>,
  { node, uid }: { node: string; uid: string },
): Promise<Usage> {
  // From the kubelet: a metrics server has no totals and is not always installed.
  const text = await core.connectGetNodeProxyWithPath({ name: node, path: 'stats/summary' }).catch((error) => {
    throw asFailure(error)
  })
  const summary = (typeof text === 'string' ? JSON.parse(text) : text) as Summary
  const found = summary.pods?.find(({ podRef }) => podRef.uid === uid)
  const container = found?.containers?.find(({ name }) => name === CONTAINER)
  const disk = found?.volume?.find(({ pvcRef }) => pvcRef !== undefined)
  return {
    cpuSeconds: (container?.cpu?.usageCoreNanoSeconds ?? 0) / 1e9,
    memory: container?.memory?.workingSetBytes ?? 0,
    storage: (disk?.usedBytes ?? 0) + (container?.rootfs?.usedBytes ?? 0),
    received: found?.network?.rxBytes ?? 0,
    sent: found?.network?.txBytes ?? 0,
  }
}
