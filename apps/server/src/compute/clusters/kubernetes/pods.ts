import type { V1PersistentVolumeClaim, V1Pod, V1Probe, V1Service, V1StatefulSet } from '@kubernetes/client-node'
import { HEALTH_START_S, type HealthCheck } from '@tidenet/contract'
import { partOf, type Size, specHashOf, type WorkloadSpec } from '../driver.ts'
import { ACCOUNT, LABEL, LAYER, loginName, quantities } from './manifests.ts'
import { GPU, type PodSettings, selectorOf, tolerationsOf, withGpus } from './settings.ts'

/** Kubernetes manifests of workloads. */

const SIZE = 'tidenet.io/size'
/** Annotation with `specHashOf` the workload. */
export const SPEC_HASH = 'tidenet.io/asked'
/** Annotation: whether the workload has a kernel of its own. */
export const KERNEL = 'tidenet.io/kernel'
export const CONTAINER = 'program'
export const DISK = '/data'
const WAIT = ['/bin/sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done']
/** What the standard `baseline` allows, and programs that run as root expect. */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETGID', 'SETUID', 'KILL', 'NET_BIND_SERVICE']
/** User of programs that may not be root; the disk belongs to its group. */
const USER = 1000

export function statefulSet(
  {
    installation,
    image,
    storageClass,
    overcommit,
    ...given
  }: PodSettings & { installation: string; image: string; storageClass: string; overcommit: number },
  workspace: string,
  spec: WorkloadSpec,
  kernel: 'own' | 'shared',
): V1StatefulSet {
  const labels = {
    [LABEL.installation]: installation,
    [LABEL.workspace]: workspace,
    [LABEL.workload]: spec.id,
  }
  const { cpu, memory, storage } = quantities(spec.size)
  const cpuRequest = `${Math.max(1, Math.floor((spec.size.cpu * 1000) / overcommit))}m`
  const isDefaultImage = spec.image === undefined
  const command = spec.command.length > 0 ? [...spec.command] : isDefaultImage ? WAIT : undefined
  const { entrypoint = [], paths = [], workingDir } = spec.options ?? {}
  const settings = spec.gpus ? withGpus(given) : given
  // A GPU is never shared, so request and limit are equal.
  const gpus: Record<string, string> = spec.gpus ? { [GPU]: String(spec.gpus) } : {}
  return {
    metadata: {
      name: spec.id,
      labels,
      annotations: { [SIZE]: JSON.stringify(spec.size), [SPEC_HASH]: specHashOf(spec), [KERNEL]: kernel },
    },
    spec: {
      serviceName: spec.name,
      replicas: 1,
      selector: { matchLabels: { [LABEL.workload]: spec.id } },
      // A claim outlives its pods; it is deleted with the workload.
      volumeClaimTemplates: [
        {
          metadata: { name: 'disk', labels },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage } },
            ...(storageClass !== '' && { storageClassName: storageClass }),
          },
        },
      ],
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: ACCOUNT,
          automountServiceAccountToken: false,
          ...(spec.login && !isDefaultImage && { imagePullSecrets: [{ name: loginName(spec.id) }] }),
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 10,
          hostname: spec.name,
          ...placement(settings),
          securityContext: {
            ...userOf(settings),
            seccompProfile: { type: 'RuntimeDefault' },
            // Every user in the container may use ping.
            sysctls: [{ name: 'net.ipv4.ping_group_range', value: '0 2147483647' }],
          },
          containers: [
            {
              name: CONTAINER,
              image: spec.image ?? image,
              // Otherwise a private image that a node has from one tenant would start for others.
              imagePullPolicy: isDefaultImage ? 'IfNotPresent' : 'Always',
              ...(entrypoint.length > 0
                ? { command: [...entrypoint], args: [...spec.command] }
                : command && (isDefaultImage ? { command } : { args: command })),
              ...(workingDir && { workingDir }),
              env: Object.entries(spec.env).map(([name, value]) => ({ name, value })),
              ports: spec.ports.map((port) => ({ containerPort: port, protocol: 'TCP' })),
              resources: {
                limits: { cpu, memory, 'ephemeral-storage': LAYER, ...gpus },
                requests: { cpu: cpuRequest, memory, 'ephemeral-storage': '64Mi', ...gpus },
              },
              ...(spec.health && probesOf(spec.health)),
              securityContext: securityOf(settings),
              volumeMounts: [
                { name: 'disk', mountPath: DISK },
                ...paths
                  .filter((path) => path !== DISK)
                  .map((path) => ({ name: 'disk', mountPath: path, subPath: `.paths/${partOf(path)}` })),
              ],
            },
          ],
        },
      },
    },
  }
}

/** The node checks the port: when the program starts, whether it is healthy, and whether it must be restarted. */
function probesOf({ kind, port, path, interval, threshold }: HealthCheck) {
  const probe: V1Probe = {
    ...(kind === 'tcp'
      ? { tcpSocket: { port } }
      : { httpGet: { port, path, httpHeaders: [{ name: 'User-Agent', value: 'tidenet-health' }] } }),
    periodSeconds: interval,
    timeoutSeconds: 5,
    failureThreshold: threshold,
  }
  const startupProbe = { ...probe, failureThreshold: Math.max(threshold, Math.ceil(HEALTH_START_S / interval)) }
  return { startupProbe, readinessProbe: probe, livenessProbe: probe }
}

/** Where pods run, and on which kernel. */
export const placement = ({ runtimeClass, nodes, tolerations }: PodSettings) => ({
  ...(runtimeClass !== '' && { runtimeClassName: runtimeClass }),
  ...(nodes !== '' && { nodeSelector: selectorOf(nodes) }),
  ...(tolerations !== '' && { tolerations: tolerationsOf(tolerations) }),
})

/** Of whom a pod's programs are. A disk that belongs to their group is writable for them. */
export const userOf = ({ podSecurity }: PodSettings) =>
  podSecurity === 'restricted'
    ? { runAsNonRoot: true, runAsUser: USER, runAsGroup: USER, fsGroup: USER, fsGroupChangePolicy: 'OnRootMismatch' }
    : {}

export const securityOf = ({ podSecurity }: PodSettings) => ({
  allowPrivilegeEscalation: false,
  privileged: false,
  capabilities: { drop: ['ALL'], add: podSecurity === 'restricted' ? ['NET_BIND_SERVICE'] : CAPABILITIES },
})

/** A disk by itself. */
export const claim = (
  name: string,
  size: Size,
  { storageClass }: { storageClass: string },
): V1PersistentVolumeClaim => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: quantities(size).storage } },
    ...(storageClass !== '' && { storageClassName: storageClass }),
  },
})

/** A pod like that of a program, which runs a script; with a disk, that of the claim `disk`. */
export function probePod(
  settings: PodSettings & { image: string },
  script: string,
  { disk, ...size }: Size & { disk: boolean },
): V1Pod {
  const { cpu, memory } = quantities(size)
  return {
    metadata: { name: 'probe' },
    spec: {
      restartPolicy: 'Never',
      serviceAccountName: ACCOUNT,
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      ...placement(settings),
      securityContext: { ...userOf(settings), seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: CONTAINER,
          image: settings.image,
          imagePullPolicy: 'IfNotPresent',
          command: ['/bin/sh', '-c', script],
          resources: {
            limits: { cpu, memory, 'ephemeral-storage': '64Mi' },
            requests: { cpu: '10m', memory, 'ephemeral-storage': '64Mi' },
          },
          securityContext: securityOf(settings),
          ...(disk && { volumeMounts: [{ name: 'disk', mountPath: DISK }] }),
        },
      ],
      ...(disk && { volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }] }),
    },
  }
}

/** A snapshot of the disk of a workload, which the cluster's storage takes. */
export const snapshot = (workload: string, snapshotClass: string, at: Date) => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshot',
  metadata: {
    name: `${workload}-${at.toISOString().slice(0, 19).replace(/\D/g, '')}`,
    labels: { [LABEL.workload]: workload },
  },
  spec: {
    volumeSnapshotClassName: snapshotClass,
    source: { persistentVolumeClaimName: `disk-${workload}-0` },
  },
})

/** The workload's host name within the workspace. */
export const service = (spec: WorkloadSpec): V1Service => ({
  metadata: { name: spec.name, labels: { [LABEL.workload]: spec.id } },
  spec: {
    selector: { [LABEL.workload]: spec.id },
    clusterIP: 'None',
    // Programs find each other while they start, as on engines.
    publishNotReadyAddresses: true,
    ports:
      spec.ports.length > 0
        ? spec.ports.map((port) => ({ name: `port-${port}`, port, targetPort: port, protocol: 'TCP' }))
        : [{ name: 'none', port: 1, targetPort: 1, protocol: 'TCP' }],
  },
})

/** The workload's size, from its annotation. */
export function sizeOf(set: V1StatefulSet): Size {
  try {
    return JSON.parse(set.metadata?.annotations?.[SIZE] ?? '') as Size
  } catch {
    return { cpu: 0, memory: 0, storage: 0 }
  }
}
