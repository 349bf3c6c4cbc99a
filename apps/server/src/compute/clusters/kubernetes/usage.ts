import type { Usage } from '../driver.ts'
import { type Api, asFailure } from './api.ts'
import { CONTAINER } from './pods.ts'

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

/** Resource usage of all pods of a node, by uid. @throws ClusterError */
export async function usageOn({ core }: Pick<Api, 'core'>, node: string): Promise<Map<string, Usage>> {
  // From the kubelet: a metrics server has no totals and is not always installed.
  const text = await core.connectGetNodeProxyWithPath({ name: node, path: 'stats/summary' }).catch((error) => {
    throw asFailure(error)
  })
  const summary = (typeof text === 'string' ? JSON.parse(text) : text) as Summary
  return new Map(
    (summary.pods ?? []).map((pod) => {
      const container = pod.containers?.find(({ name }) => name === CONTAINER)
      const disk = pod.volume?.find(({ pvcRef }) => pvcRef !== undefined)
      return [
        pod.podRef.uid,
        {
          cpuSeconds: (container?.cpu?.usageCoreNanoSeconds ?? 0) / 1e9,
          memory: container?.memory?.workingSetBytes ?? 0,
          storage: (disk?.usedBytes ?? 0) + (container?.rootfs?.usedBytes ?? 0),
          received: pod.network?.rxBytes ?? 0,
          sent: pod.network?.txBytes ?? 0,
        },
      ]
    }),
  )
}
