import { CLUSTERS, type ClusterName } from '@tidenet/contract'
import { readConfig, StartError } from '@tidenet/daemon'
import { z } from 'zod'
import { PLAIN, type PodSettings } from './kubernetes/settings.ts'

/** Settings of clusters. */
export interface ClustersConfig {
  /** By region: `none`, `engine`, `engine:unix:///…`, `kubernetes`, `kubernetes:/a/kubeconfig#context`. */
  regions: Readonly<Record<ClusterName, string>>
  /** Default image of workloads. */
  image: string
  /** Archive of a root file system, used instead of the image. */
  imageTar: string
  /** Address of the engine's machine at which ports are published; empty: they are not. */
  publish: string
  /** OCI runtime of the Podman that we start; empty: the safest that is installed and passes the tests. */
  runtime: string
  /** Mbit/s of a workspace on an engine, in each direction; 0: not limited. */
  megabits: number
  /** Registries from which images may be pulled. */
  registries: readonly string[]
  /** How many times cores and disk are sold. Memory is never overcommitted. */
  overcommit: number
  /** Storage class on Kubernetes; empty: the default class. */
  storageClass: string
  /** On Kubernetes: whether programs are sold although its network does not keep workspaces apart. */
  openNetwork: boolean
  /** Of programs on Kubernetes. */
  pods: PodSettings
}

const SETTING = /^(none|engine(:(unix|npipe|tcp|http):\/\/\S+|:podman)?|kubernetes(:\S+)?)$/
const REGISTRIES = 'docker.io,ghcr.io,quay.io,registry.k8s.io,gcr.io,public.ecr.aws,mcr.microsoft.com'

/**
 * In production the default is `none`: an engine that happens to be installed must not run containers of strangers.
 * @throws StartError naming every variable that is wrong
 */
export function readClustersConfig(
  env: Readonly<Record<string, string | undefined>>,
  environment: string,
): ClustersConfig {
  const development = environment === 'development'
  const region = z
    .string()
    .regex(SETTING, 'expected none, engine, engine:unix:///… or kubernetes:/path/of/a/kubeconfig#context')
    .default(development ? 'engine' : 'none')
  const { distributed, centralized, registries, ...read } = readConfig(
    {
      distributed: { from: 'TIDENET_CLUSTER_DISTRIBUTED', type: region },
      centralized: { from: 'TIDENET_CLUSTER_CENTRALIZED', type: region },
      image: {
        from: 'TIDENET_CLUSTER_IMAGE',
        type: z
          .string()
          .regex(/^\S+$/, 'expected an image such as docker.io/library/debian:12-slim')
          .default('docker.io/library/debian:12-slim'),
      },
      imageTar: { from: 'TIDENET_CLUSTER_IMAGE_TAR', type: z.string().default('') },
      publish: {
        from: 'TIDENET_CLUSTER_PUBLISH',
        type: z
          .ipv4('expected an address such as 127.0.0.1')
          .or(z.literal(''))
          .default(development ? '127.0.0.1' : ''),
      },
      runtime: { from: 'TIDENET_CLUSTER_RUNTIME', type: z.enum(['', 'runsc', 'runc', 'crun']).default('') },
      megabits: { from: 'TIDENET_CLUSTER_BANDWIDTH', type: z.coerce.number().int().min(0).max(34_000).default(200) },
      registries: { from: 'TIDENET_CLUSTER_REGISTRIES', type: z.string().default(REGISTRIES) },
      overcommit: {
        from: 'TIDENET_CLUSTER_OVERCOMMIT',
        type: z.coerce
          .number()
          .min(1)
          .max(100)
          .default(development ? 8 : 1),
      },
      storageClass: { from: 'TIDENET_CLUSTER_STORAGE_CLASS', type: z.string().default('') },
      openNetwork: {
        from: 'TIDENET_CLUSTER_OPEN_NETWORK',
        type: z
          .enum(['yes', 'no'])
          .default('no')
          .transform((value) => value === 'yes'),
      },
      podSecurity: {
        from: 'TIDENET_CLUSTER_POD_SECURITY',
        type: z.enum(['restricted', 'baseline']).default(PLAIN.podSecurity),
      },
      runtimeClass: { from: 'TIDENET_CLUSTER_RUNTIME_CLASS', type: z.string().default('') },
      nodes: {
        from: 'TIDENET_CLUSTER_NODES',
        type: z
          .string()
          .regex(/^([^=,\s]+=[^=,\s]*(,|$))*$/, 'expected labels such as pool=tenants')
          .default(''),
      },
      tolerations: {
        from: 'TIDENET_CLUSTER_TOLERATIONS',
        type: z
          .string()
          .regex(
            /^([^=:,\s]+(=[^=:,\s]*)?:(NoSchedule|PreferNoSchedule|NoExecute)(,|$))*$/,
            'expected taints such as dedicated=tenants:NoSchedule',
          )
          .default(''),
      },
      ingressNamespace: { from: 'TIDENET_CLUSTER_INGRESS_NAMESPACE', type: z.string().default('') },
      ingressClass: { from: 'TIDENET_CLUSTER_INGRESS_CLASS', type: z.string().default('') },
      ingressService: {
        from: 'TIDENET_CLUSTER_INGRESS_SERVICE',
        type: z
          .string()
          .regex(/^[a-z\d-]+:\d{1,5}$/, 'expected name and port of a service such as tidenet-ingress:80')
          .default(PLAIN.ingressService),
      },
      ingressTls: { from: 'TIDENET_CLUSTER_INGRESS_TLS', type: z.string().default('') },
      sellsGpus: {
        from: 'TIDENET_CLUSTER_GPUS',
        type: z
          .enum(['yes', 'no'])
          .default('no')
          .transform((value) => value === 'yes'),
      },
      gpuRuntimeClass: { from: 'TIDENET_CLUSTER_GPU_RUNTIME_CLASS', type: z.string().default('') },
      snapshotClass: { from: 'TIDENET_CLUSTER_SNAPSHOT_CLASS', type: z.string().default('') },
    },
    env,
  )
  const { podSecurity, runtimeClass, nodes, tolerations, snapshotClass, sellsGpus, gpuRuntimeClass, ...others } = read
  const { ingressNamespace, ingressClass, ingressService, ingressTls, ...given } = others
  if (ingressClass !== '' && ingressNamespace === '')
    throw new StartError(
      'TIDENET_CLUSTER_INGRESS_CLASS needs TIDENET_CLUSTER_INGRESS_NAMESPACE, where our ingress runs.',
    )
  const ingress = { ingressNamespace, ingressClass, ingressService, ingressTls }
  return {
    ...given,
    pods: {
      ...{ podSecurity, runtimeClass, nodes, tolerations, snapshotClass, sellsGpus, gpuRuntimeClass },
      ...ingress,
    },
    regions: { distributed, centralized },
    registries: registries
      .split(',')
      .map((host) => host.trim())
      .filter((host) => host !== ''),
  }
}

/** No clusters; also the starting point of tests. */
export const NO_CLUSTERS: ClustersConfig = {
  regions: Object.fromEntries(CLUSTERS.map((name) => [name, 'none'])) as Record<ClusterName, string>,
  image: 'docker.io/library/debian:12-slim',
  imageTar: '',
  publish: '',
  runtime: '',
  megabits: 200,
  registries: REGISTRIES.split(','),
  overcommit: 1,
  storageClass: '',
  openNetwork: false,
  pods: PLAIN,
}
