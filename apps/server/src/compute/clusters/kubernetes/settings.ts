import type { V1Node, V1Toleration } from '@kubernetes/client-node'

/** What the operator sets for a Kubernetes cluster, besides its address. */
export interface PodSettings {
  /** The pod security standard of workspaces: `restricted` does not run programs as root. */
  podSecurity: 'restricted' | 'baseline'
  /** Runtime class of programs, such as one of gVisor; empty: one of gVisor that the cluster has, or its default. */
  runtimeClass: string
  /** Labels of the nodes that run programs, as `pool=tenants,…`; empty: all nodes. */
  nodes: string
  /** Taints that programs tolerate, as `key=value:effect,…`. */
  tolerations: string
  /** Namespace from which an ingress reaches programs; empty: none. */
  ingressNamespace: string
  /** Class of the `Ingress` that leads addresses of programs to our ingress in its namespace; empty: the operator leads them there. */
  ingressClass: string
  /** Name and port of our ingress's `Service` in that namespace, as `tidenet-ingress:80`. */
  ingressService: string
  /** A secret in that namespace with the certificate of `*.<domain>`; empty: that of the ingress controller. */
  ingressTls: string
  /** Whether GPUs are sold. */
  sellsGpus: boolean
  /** Runtime class of programs with GPUs; empty: that of the others. */
  gpuRuntimeClass: string
  /** Class of volume snapshots that are taken when a workspace is suspended; empty: none. */
  snapshotClass: string
}

/** Nothing beyond what every cluster has. */
export const PLAIN: PodSettings = {
  podSecurity: 'restricted',
  runtimeClass: '',
  nodes: '',
  tolerations: '',
  ingressNamespace: '',
  ingressClass: '',
  ingressService: 'tidenet-ingress:80',
  ingressTls: '',
  sellsGpus: false,
  gpuRuntimeClass: '',
  snapshotClass: '',
}

/** The resource of GPUs, of NVIDIA's device plugin; also the key of the taint of nodes that have some. */
export const GPU = 'nvidia.com/gpu'

const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const GPU_TOLERATION = `${GPU}:NoSchedule`

/** The settings of all programs of workspaces with GPUs: they also run on nodes that keep others away. */
export const besideGpus = <T extends PodSettings>(settings: T): T => ({
  ...settings,
  tolerations: [...partsOf(settings.tolerations).filter((each) => each !== GPU_TOLERATION), GPU_TOLERATION].join(','),
})

/** The settings of programs with GPUs. */
export const withGpus = <T extends PodSettings>(settings: T): T => ({
  ...besideGpus(settings),
  runtimeClass: settings.gpuRuntimeClass || settings.runtimeClass,
})

/** GPUs of nodes that run programs: all, and the most of one. */
export function gpusOf(nodes: readonly V1Node[], settings: PodSettings): { all: number; most: number } {
  const counts = nodes
    .filter((node) => runsOn(node, withGpus(settings)))
    .map(({ status }) => Number(status?.allocatable?.[GPU] ?? 0))
  return { all: counts.reduce((sum, count) => sum + count, 0), most: Math.max(0, ...counts) }
}

/** `pool=tenants` */
export const selectorOf = (nodes: string): Record<string, string> =>
  Object.fromEntries(
    partsOf(nodes).map((part) => {
      const [key = '', value = ''] = part.split('=')
      return [key, value]
    }),
  )

/** `dedicated=tenants:NoSchedule`, or `dedicated:NoSchedule` for any value. */
export const tolerationsOf = (tolerations: string): V1Toleration[] =>
  partsOf(tolerations).map((part) => {
    const [taint = '', effect] = part.split(':')
    const [key = '', value] = taint.split('=')
    return {
      key,
      ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }),
      ...(effect && { effect }),
    }
  })

/** Whether programs can run on a node: it is in the pool, in service, and has no taint that they do not tolerate. */
export function runsOn({ metadata, spec }: V1Node, { nodes, tolerations }: PodSettings): boolean {
  if (spec?.unschedulable) return false
  const labels = metadata?.labels ?? {}
  if (Object.entries(selectorOf(nodes)).some(([key, value]) => labels[key] !== value)) return false
  const tolerated = tolerationsOf(tolerations)
  return (spec?.taints ?? [])
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .every((taint) =>
      tolerated.some(
        (one) =>
          one.key === taint.key &&
          (one.effect === undefined || one.effect === taint.effect) &&
          (one.operator === 'Exists' || one.value === (taint.value ?? '')),
      ),
    )
}
