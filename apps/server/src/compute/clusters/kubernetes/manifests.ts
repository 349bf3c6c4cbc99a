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
import { askedOf, type Size, type WorkloadSpec, type WorkspaceSpec } from '../driver.ts'

/** What a workspace is on Kubernetes: a namespace with everything that keeps it within bounds. Functions of values. */

export const LABEL = {
  installation: 'tidenet.io/installation',
  workspace: 'tidenet.io/workspace',
  workload: 'tidenet.io/workload',
} as const
const SIZE = 'tidenet.io/size'
/** What the program was made from. */
const ASKED = 'tidenet.io/asked'
const OWNER = 'tidenet.io/owner'
/** What runs in a workspace is this account, which may do nothing. */
const ACCOUNT = 'workspace'
const CONTAINER = 'program'
const DISK = '/data'
const PIDS = 256
const WAIT = ['/bin/sh', '-c', 'trap "exit 0" TERM INT; while :; do sleep 3600 & wait $!; done']
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETGID', 'SETUID', 'KILL', 'NET_BIND_SERVICE']
/** Addresses of the cluster itself and of the networks around it. */
const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15']

export { ASKED, CONTAINER, PIDS }

export const namespaceOf = (installation: string, workspace: string): string => `tidenet-${installation}-${workspace}`

/** Quantities as Kubernetes writes them, exact. */
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
        // Looked at by 1.23 and later; before, the pods themselves ask for no more.
        'pod-security.kubernetes.io/enforce': 'baseline',
      },
      annotations: { [OWNER]: owner },
    },
  }
}

/** The cluster itself refuses what exceeds the order, whoever asks. */
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

/** No container without limits, nor one larger than the order. `_default` is `default` on the wire. */
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

/** Within the workspace everything; outwards names and the internet; from elsewhere nothing. `_from` is `from` on the wire. */
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
 * What somebody with a token of the workspace may do there. Not the built-in `edit`: that may delete the network policy, read secrets, and
 * make tokens of other accounts.
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

/** For whoever holds a token of `tenant`; programs run by an account without any right. */
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
  const asked = `${Math.max(1, Math.floor((spec.size.cpu * 1000) / overcommit))}m`
  const own = spec.image === undefined
  const command = spec.command.length > 0 ? [...spec.command] : own ? WAIT : undefined
  return {
    metadata: { name: spec.id, labels, annotations: { [SIZE]: JSON.stringify(spec.size), [ASKED]: askedOf(spec) } },
    spec: {
      serviceName: spec.name,
      replicas: 1,
      selector: { matchLabels: { [LABEL.workload]: spec.id } },
      // A disk outlives the programs that used it, and goes with the workload.
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
            // Everybody in it may ask whether another machine is there.
            sysctls: [{ name: 'net.ipv4.ping_group_range', value: '0 2147483647' }],
          },
          containers: [
            {
              name: CONTAINER,
              image: spec.image ?? image,
              imagePullPolicy: 'IfNotPresent',
              ...(command && (own ? { command } : { args: command })),
              env: Object.entries(spec.env).map(([name, value]) => ({ name, value })),
              ports: spec.ports.map((port) => ({ containerPort: port, protocol: 'TCP' })),
              resources: {
                limits: { cpu, memory, 'ephemeral-storage': '2Gi' },
                requests: { cpu: asked, memory, 'ephemeral-storage': '64Mi' },
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

/** By which the other workloads of the workspace reach it. */
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

/** The size that a workload was given, as it was written down with it. */
export function sizeOf(set: V1StatefulSet): Size {
  try {
    return JSON.parse(set.metadata?.annotations?.[SIZE] ?? '') as Size
  } catch {
    return { cpu: 0, memory: 0, storage: 0 }
  }
}
