import type {
  V1LimitRange,
  V1Namespace,
  V1NetworkPolicy,
  V1ResourceQuota,
  V1Role,
  V1RoleBinding,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
} from '@kubernetes/client-node'
import { type Size, specHashOf, type WorkloadSpec, type WorkspaceSpec } from '../driver.ts'

/** Kubernetes manifests of workspaces and workloads. */

export const LABEL = {
  installation: 'tidenet.io/installation',
  workspace: 'tidenet.io/workspace',
  workload: 'tidenet.io/workload',
} as const
const SIZE = 'tidenet.io/size'
/** Annotation with `specHashOf` the workload. */
const SPEC_HASH = 'tidenet.io/asked'
const OWNER = 'tidenet.io/owner'
/** Service account of all pods; it has no permissions. */
const ACCOUNT = 'workspace'
const CONTAINER = 'program'
const DISK = '/data'
const WAIT = ['/bin/sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done']
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETGID', 'SETUID', 'KILL', 'NET_BIND_SERVICE']
/** Private networks, which include the cluster's own. */
const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15']

export { CONTAINER, SPEC_HASH }

export const namespaceOf = (installation: string, workspace: string): string => `tidenet-${installation}-${workspace}`

/** Exact quantities in the notation of Kubernetes. */
export const quantities = ({ cpu, memory, storage }: Size) => ({
  cpu: `${Math.round(cpu * 1000)}m`,
  memory: String(memory),
  storage: String(storage),
})

export function namespace(installation: string, { id, owner }: WorkspaceSpec): V1Namespace {
  return {
    metadata: {
      name: namespaceOf(installation, id),
      labels: {
        [LABEL.installation]: installation,
        [LABEL.workspace]: id,
        // Enforced by Kubernetes 1.23 and later. Our pods comply without it.
        'pod-security.kubernetes.io/enforce': 'baseline',
      },
      annotations: { [OWNER]: owner },
    },
  }
}

/** The cluster enforces the size of the order. */
export function quota({ size }: WorkspaceSpec): V1ResourceQuota {
  const { cpu, memory, storage } = quantities(size)
  return {
    metadata: { name: 'order' },
    spec: {
      hard: {
        'limits.cpu': cpu,
        'requests.cpu': cpu,
        'limits.memory': memory,
        'requests.memory': memory,
        'requests.storage': storage,
        persistentvolumeclaims: '32',
        pods: '32',
        services: '32',
        'services.loadbalancers': '0',
        'services.nodeports': '0',
        secrets: '50',
        configmaps: '50',
      },
    },
  }
}

/** Every container has limits, and none exceeds the order. `_default` is `default` on the wire. */
export function limitRange({ size }: WorkspaceSpec): V1LimitRange {
  const { cpu, memory } = quantities(size)
  return {
    metadata: { name: 'order' },
    spec: {
      limits: [
        {
          type: 'Container',
          max: { cpu, memory },
          _default: { cpu: '100m', memory: '64Mi' },
          defaultRequest: { cpu: '100m', memory: '64Mi' },
        },
      ],
    },
  }
}

/** Allows traffic within the workspace, DNS and the internet; no inbound traffic from outside. `_from` is `from` on the wire. */
export function networkPolicy(): V1NetworkPolicy {
  return {
    metadata: { name: 'apart' },
    spec: {
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ _from: [{ podSelector: {} }] }],
      egress: [
        { to: [{ podSelector: {} }] },
        {
          to: [
            {
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
              podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
            },
          ],
          ports: [
            { protocol: 'UDP', port: 53 },
            { protocol: 'TCP', port: 53 },
          ],
        },
        { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: PRIVATE } }] },
      ],
    },
  }
}

/**
 * Permissions of a workspace's token. The built-in role `edit` would allow more: deleting the network policy, reading secrets, and creating
 * tokens of other service accounts.
 */
export function role(): V1Role {
  const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
  return {
    metadata: { name: 'workspace' },
    rules: [
      { apiGroups: [''], resources: ['pods', 'services', 'configmaps', 'persistentvolumeclaims'], verbs: all },
      {
        apiGroups: [''],
        resources: ['pods/log', 'events', 'resourcequotas', 'limitranges'],
        verbs: ['get', 'list', 'watch'],
      },
      { apiGroups: [''], resources: ['pods/exec'], verbs: ['create', 'get'] },
      { apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'replicasets'], verbs: all },
    ],
  }
}

export const account = (): V1ServiceAccount => ({ metadata: { name: ACCOUNT }, automountServiceAccountToken: false })

/** The service account that tokens of a workspace belong to. Pods use one without permissions. */
export const tenant = (): V1ServiceAccount => ({ metadata: { name: 'tenant' }, automountServiceAccountToken: false })

export const roleBinding = (namespaceName: string): V1RoleBinding => ({
  metadata: { name: 'workspace' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'workspace' },
  subjects: [{ kind: 'ServiceAccount', name: 'tenant', namespace: namespaceName }],
})

export function statefulSet(
  {
    installation,
    image,
    storageClass,
    overcommit,
  }: { installation: string; image: string; storageClass: string; overcommit: number },
  workspace: string,
  spec: WorkloadSpec,
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
  return {
    metadata: {
      name: spec.id,
      labels,
      annotations: { [SIZE]: JSON.stringify(spec.size), [SPEC_HASH]: specHashOf(spec) },
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
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 10,
          hostname: spec.name,
          securityContext: {
            seccompProfile: { type: 'RuntimeDefault' },
            // Every user in the container may use ping.
            sysctls: [{ name: 'net.ipv4.ping_group_range', value: '0 2147483647' }],
          },
          containers: [
            {
              name: CONTAINER,
              image: spec.image ?? image,
              imagePullPolicy: 'IfNotPresent',
              ...(command && (isDefaultImage ? { command } : { args: command })),
              env: Object.entries(spec.env).map(([name, value]) => ({ name, value })),
              ports: spec.ports.map((port) => ({ containerPort: port, protocol: 'TCP' })),
              resources: {
                limits: { cpu, memory, 'ephemeral-storage': '2Gi' },
                requests: { cpu: cpuRequest, memory, 'ephemeral-storage': '64Mi' },
              },
              securityContext: {
                allowPrivilegeEscalation: false,
                privileged: false,
                capabilities: { drop: ['ALL'], add: CAPABILITIES },
              },
              volumeMounts: [{ name: 'disk', mountPath: DISK }],
            },
          ],
        },
      },
    },
  }
}

/** The workload's host name within the workspace. */
export const service = (spec: WorkloadSpec): V1Service => ({
  metadata: { name: spec.name, labels: { [LABEL.workload]: spec.id } },
  spec: {
    selector: { [LABEL.workload]: spec.id },
    clusterIP: 'None',
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
