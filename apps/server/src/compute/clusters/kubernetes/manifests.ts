import type {
  V1LimitRange,
  V1Namespace,
  V1NetworkPolicy,
  V1ResourceQuota,
  V1Role,
  V1RoleBinding,
  V1Secret,
  V1ServiceAccount,
} from '@kubernetes/client-node'
import { CLOSED_PORTS } from '../closed-ports.ts'
import type { RegistryLogin, Size, WorkloadRef, WorkspaceSpec } from '../driver.ts'
import { GPU, type PodSettings } from './settings.ts'

/** Kubernetes manifests of workspaces. */

export const LABEL = {
  installation: 'tidenet.io/installation',
  workspace: 'tidenet.io/workspace',
  workload: 'tidenet.io/workload',
} as const
const OWNER = 'tidenet.io/owner'
/** Service account of all pods; it has no permissions. */
export const ACCOUNT = 'workspace'
/** Bytes that programs write outside of their disk. */
export const LAYER = '2Gi'
/** Private networks, which include the cluster's own, and addresses of special use. */
const PRIVATE = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
]
export const namespaceOf = (installation: string, workspace: string): string => `tidenet-${installation}-${workspace}`

/** Exact quantities in the notation of Kubernetes. */
export const quantities = ({ cpu, memory, storage }: Size) => ({
  cpu: `${Math.round(cpu * 1000)}m`,
  memory: String(memory),
  storage: String(storage),
})

export function namespace(
  installation: string,
  { id, owner }: WorkspaceSpec,
  podSecurity: PodSettings['podSecurity'],
): V1Namespace {
  return {
    metadata: {
      name: namespaceOf(installation, id),
      labels: {
        [LABEL.installation]: installation,
        [LABEL.workspace]: id,
        // Tenants' own pods must comply as well.
        'pod-security.kubernetes.io/enforce': podSecurity,
        'pod-security.kubernetes.io/enforce-version': 'latest',
      },
      annotations: { [OWNER]: owner },
    },
  }
}

/** The cluster enforces the size of the order. */
export function quota({ size, gpus = 0 }: WorkspaceSpec): V1ResourceQuota {
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
        'limits.ephemeral-storage': '32Gi',
        'requests.ephemeral-storage': '2Gi',
        [`requests.${GPU}`]: String(gpus),
        persistentvolumeclaims: '32',
        pods: '32',
        services: '32',
        'services.loadbalancers': '0',
        'services.nodeports': '0',
        secrets: '50',
        configmaps: '50',
        'count/serviceaccounts': '10',
        'count/events': '2000',
        'count/deployments.apps': '32',
        'count/replicasets.apps': '100',
        'count/statefulsets.apps': '32',
        'count/ingresses.networking.k8s.io': '0',
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
          max: { cpu, memory, 'ephemeral-storage': LAYER },
          _default: { cpu: '100m', memory: '64Mi', 'ephemeral-storage': '256Mi' },
          defaultRequest: { cpu: '100m', memory: '64Mi', 'ephemeral-storage': '64Mi' },
        },
      ],
    },
  }
}

/** Ports of outgoing connections: all but those that are used for abuse, as ranges, because policies only allow. */
export function openPorts(closed: readonly number[]): { port: number; endPort: number }[] {
  const ends = [0, ...[...closed].sort((a, b) => a - b), 65_536]
  return ends
    .slice(1)
    .map((end, index) => ({ port: (ends[index] ?? 0) + 1, endPort: end - 1 }))
    .filter(({ port, endPort }) => port <= endPort)
}

/**
 * Allows traffic within the workspace, DNS and the internet; from outside only that of the ingress. `_from` is `from` on the wire.
 * @param ingressNamespace empty: none
 * An offline workspace has only the traffic within.
 */
export function networkPolicy(
  ingressNamespace: string,
  { offline = false }: Pick<WorkspaceSpec, 'offline'> = {},
): V1NetworkPolicy {
  const inside = [{ podSelector: {} }]
  const podSelector = {}
  const policyTypes = ['Ingress', 'Egress']
  if (offline)
    return {
      metadata: { name: 'apart' },
      spec: { podSelector, policyTypes, ingress: [{ _from: inside }], egress: [{ to: inside }] },
    }
  return {
    metadata: { name: 'apart' },
    spec: {
      podSelector,
      policyTypes,
      ingress: [
        { _from: inside },
        ...(ingressNamespace === ''
          ? []
          : [
              {
                _from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ingressNamespace } } }],
                ports: [{ protocol: 'TCP' }],
              },
            ]),
      ],
      egress: [
        { to: inside },
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
        {
          to: [{ ipBlock: { cidr: '0.0.0.0/0', except: PRIVATE } }],
          ports: ['TCP', 'UDP'].flatMap((protocol) => openPorts(CLOSED_PORTS).map((range) => ({ protocol, ...range }))),
        },
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

export const loginName = (workload: string): string => `login-${workload}`

/** Docker Hub has another name in logins than in images. */
const keyOf = (image: string): string => {
  const host = image.split('/')[0] ?? ''
  return host === 'docker.io' ? 'https://index.docker.io/v1/' : host
}

/** For pulling the image of a program. @param image a full reference */
export function loginSecret(
  installation: string,
  { workspace, workload }: WorkloadRef,
  image: string,
  { username, password }: RegistryLogin,
): V1Secret {
  const auth = Buffer.from(`${username}:${password}`).toString('base64')
  const config = JSON.stringify({ auths: { [keyOf(image)]: { username, password, auth } } })
  return {
    metadata: {
      name: loginName(workload),
      labels: { [LABEL.installation]: installation, [LABEL.workspace]: workspace, [LABEL.workload]: workload },
    },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
  }
}
