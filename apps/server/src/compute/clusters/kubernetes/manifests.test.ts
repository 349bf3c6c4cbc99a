import { describe, expect, it } from 'vitest'
import { CLOSED_PORTS } from '../closed-ports.ts'
import { readClustersConfig } from '../config.ts'
import type { WorkloadSpec } from '../driver.ts'
import { ingress } from './ingress.ts'
import { limitRange, loginSecret, namespace, networkPolicy, openPorts, quota, role } from './manifests.ts'
import { snapshot, statefulSet } from './pods.ts'
import { besideGpus, gpusOf, PLAIN, type PodSettings, runsOn } from './settings.ts'

const size = { cpu: 0.5, memory: 64 * 1024 ** 2, storage: 1024 ** 3 }
const spec: WorkloadSpec = { id: 'w-1', name: 'web', image: undefined, command: [], env: {}, ports: [], size }
const options = { ...PLAIN, installation: 'a', image: 'debian', storageClass: '', overcommit: 4 }
const podOf = (more: Partial<WorkloadSpec> = {}, settings: Partial<PodSettings> = {}) =>
  statefulSet({ ...options, ...settings }, 'ws', { ...spec, ...more }, 'shared').spec?.template.spec

describe('a program on Kubernetes', () => {
  it('has its size as limits, and requests cores divided by the overcommit', () => {
    const { limits, requests } = podOf()?.containers[0]?.resources ?? {}
    expect(limits).toMatchObject({ cpu: '500m', memory: '67108864' })
    expect(requests).toMatchObject({ cpu: '125m', memory: '67108864' })
  })

  it('has no service account token and no privileges', () => {
    const pod = podOf()
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { seccompProfile: {} } })
    expect(pod?.hostNetwork ?? pod?.hostPID ?? pod?.hostIPC).toBeUndefined()
    expect(pod?.containers[0]?.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      privileged: false,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod?.volumes).toBeUndefined()
  })

  it('complies with the standard “restricted”, or may be root where the operator allows it', () => {
    expect(podOf()?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(podOf()?.containers[0]?.securityContext?.capabilities?.add).toEqual(['NET_BIND_SERVICE'])
    const root = podOf({}, { podSecurity: 'baseline' })
    expect(root?.securityContext?.runAsNonRoot).toBeUndefined()
    expect(root?.containers[0]?.securityContext?.capabilities?.add).toContain('SETUID')
  })

  it('pulls the image of its tenant again, so that nobody starts an image that only others may pull', () => {
    expect(podOf({ image: 'ghcr.io/a/private:1' })?.containers[0]?.imagePullPolicy).toBe('Always')
    expect(podOf()?.containers[0]?.imagePullPolicy).toBe('IfNotPresent')
  })

  it('has GPUs of its own on nodes that keep others away, with the runtime class of the setting', () => {
    const pod = podOf({ gpus: 2 }, { tolerations: 'dedicated=tenants:NoSchedule', runtimeClass: 'gvisor' })
    const { limits, requests } = pod?.containers[0]?.resources ?? {}
    expect([limits?.['nvidia.com/gpu'], requests?.['nvidia.com/gpu']]).toEqual(['2', '2'])
    expect(pod?.tolerations).toEqual([
      { key: 'dedicated', operator: 'Equal', value: 'tenants', effect: 'NoSchedule' },
      { key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' },
    ])
    expect(pod?.runtimeClassName).toBe('gvisor')
    expect(podOf({ gpus: 1 }, { gpuRuntimeClass: 'nvidia', runtimeClass: 'gvisor' })?.runtimeClassName).toBe('nvidia')
    // Programs beside it run on such nodes, too, but not with that class.
    const beside = podOf({}, besideGpus({ ...PLAIN, gpuRuntimeClass: 'nvidia', runtimeClass: 'gvisor' }))
    expect(beside).toMatchObject({ tolerations: [{ key: 'nvidia.com/gpu' }], runtimeClassName: 'gvisor' })
    expect(podOf({ gpus: 1 }, besideGpus(PLAIN))?.tolerations).toHaveLength(1)
    const without = podOf({}, { gpuRuntimeClass: 'nvidia' })
    expect(JSON.stringify(without)).not.toContain('nvidia')
  })

  it('has the health check of its owner, and a minute to start', () => {
    const check = { kind: 'http', port: 80, path: '/ready', interval: 10, threshold: 2 } as const
    const [container] = podOf({ ports: [80], health: check })?.containers ?? []
    const http = { httpGet: { port: 80, path: '/ready' }, periodSeconds: 10, failureThreshold: 2 }
    expect(container).toMatchObject({ readinessProbe: http, livenessProbe: http })
    expect(container?.startupProbe).toMatchObject({ ...http, failureThreshold: 6 })
    const [other] =
      podOf({ ports: [80], health: { ...check, kind: 'tcp', interval: 60, threshold: 3 } })?.containers ?? []
    expect(other?.livenessProbe).toMatchObject({ tcpSocket: { port: 80 }, failureThreshold: 3 })
    expect(other?.livenessProbe).not.toHaveProperty('httpGet')
    expect(other?.startupProbe?.failureThreshold).toBe(3)
    for (const kind of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      expect(podOf({ ports: [80] })?.containers[0]).not.toHaveProperty(kind)
  })

  it('names the login of its image if it has one, which only the node reads', () => {
    const login = { username: 'somebody', password: 'a secret' }
    const pod = podOf({ image: 'ghcr.io/a/private:1', login })
    expect(pod?.imagePullSecrets).toEqual([{ name: 'login-w-1' }])
    expect(JSON.stringify(pod)).not.toContain(login.password)
    expect(podOf({ image: 'ghcr.io/a/private:1' })).not.toHaveProperty('imagePullSecrets')
    const hostsOf = (image: string) => {
      const { type, data } = loginSecret('a', { workspace: 'ws', workload: 'w-1' }, image, login)
      expect(type).toBe('kubernetes.io/dockerconfigjson')
      return JSON.parse(Buffer.from(data?.['.dockerconfigjson'] ?? '', 'base64').toString()).auths
    }
    const auth = Buffer.from('somebody:a secret').toString('base64')
    expect(hostsOf('ghcr.io/a/private:1')).toEqual({ 'ghcr.io': { ...login, auth } })
    expect(Object.keys(hostsOf('docker.io/a/private:1'))).toEqual(['https://index.docker.io/v1/'])
  })

  it('has an entry point, a folder and paths on its disk if they are asked for', () => {
    const [container] =
      podOf({ command: ['-v'], options: { paths: ['/data', '/srv'], entrypoint: ['/tool'], workingDir: '/srv' } })
        ?.containers ?? []
    expect(container).toMatchObject({ command: ['/tool'], args: ['-v'], workingDir: '/srv' })
    expect(container?.volumeMounts).toMatchObject([{ mountPath: '/data' }, { mountPath: '/srv', name: 'disk' }])
    expect(container?.volumeMounts?.[0]?.subPath).toBeUndefined()
    expect(container?.volumeMounts?.[1]?.subPath).toMatch(/^\.paths\//)
  })

  it('runs in the pool and on the kernel that the operator set', () => {
    const settings = {
      runtimeClass: 'gvisor',
      nodes: 'pool=tenants',
      tolerations: 'dedicated=tenants:NoSchedule,gpu:NoExecute',
    }
    expect(podOf({}, settings)).toMatchObject({
      runtimeClassName: 'gvisor',
      nodeSelector: { pool: 'tenants' },
      tolerations: [
        { key: 'dedicated', operator: 'Equal', value: 'tenants', effect: 'NoSchedule' },
        { key: 'gpu', operator: 'Exists', effect: 'NoExecute' },
      ],
    })
    expect(podOf()).not.toHaveProperty('runtimeClassName')
  })
})

describe('the ingress of a cluster', () => {
  const settings = { ...PLAIN, ingressClass: 'nginx', ingressTls: 'wildcard' }

  it('leads all addresses of programs to our own, with the certificate of the setting', () => {
    const { metadata, spec } = ingress('a', 'apps.example.com', settings)
    expect(metadata?.name).toBe('tidenet-a')
    expect(spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['*.apps.example.com'], secretName: 'wildcard' }],
      rules: [{ host: '*.apps.example.com' }],
    })
    expect(spec?.rules?.[0]?.http?.paths).toEqual([
      { path: '/', pathType: 'Prefix', backend: { service: { name: 'tidenet-ingress', port: { number: 80 } } } },
    ])
    expect(ingress('a', 'apps.example.com', { ...settings, ingressTls: '' }).spec?.tls?.[0]).not.toHaveProperty(
      'secretName',
    )
  })

  it('is refused without a namespace of our own, and with a service that has no port', () => {
    const read = (env: Record<string, string>) => () => readClustersConfig(env, 'production').pods
    const namespace = { TIDENET_CLUSTER_INGRESS_NAMESPACE: 'tidenet' }
    expect(read({ ...namespace, TIDENET_CLUSTER_INGRESS_CLASS: 'nginx' })()).toMatchObject({ ingressClass: 'nginx' })
    expect(read({ TIDENET_CLUSTER_INGRESS_CLASS: 'nginx' })).toThrow()
    expect(read({ ...namespace, TIDENET_CLUSTER_INGRESS_SERVICE: 'tidenet' })).toThrow()
  })
})

describe('a node', () => {
  const node = (labels: Record<string, string>, taints: { key: string; value?: string; effect: string }[] = []) => ({
    metadata: { labels },
    spec: { taints },
  })
  const pool = { ...PLAIN, nodes: 'pool=tenants', tolerations: 'dedicated=tenants:NoSchedule' }
  const dedicated = { key: 'dedicated', value: 'tenants', effect: 'NoSchedule' }
  it.each([
    ['of the pool', node({ pool: 'tenants' }), true],
    ['of the pool with its taint', node({ pool: 'tenants' }, [dedicated]), true],
    ['that is only avoided', node({ pool: 'tenants' }, [{ key: 'old', effect: 'PreferNoSchedule' }]), true],
    ['of another pool', node({ pool: 'system' }), false],
    ['with a taint of another value', node({ pool: 'tenants' }, [{ ...dedicated, value: 'staff' }]), false],
    ['with another taint', node({ pool: 'tenants' }, [{ key: 'control-plane', effect: 'NoSchedule' }]), false],
    ['out of service', { ...node({ pool: 'tenants' }), spec: { unschedulable: true } }, false],
  ])('%s runs programs or not', (_, one, runs) => expect(runsOn(one, pool)).toBe(runs))

  it('counts for GPUs if programs with GPUs run on it', () => {
    const withGpus = (count: string, ...given: Parameters<typeof node>) => ({
      ...node(...given),
      status: { allocatable: { 'nvidia.com/gpu': count } },
    })
    const taint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }
    const nodes = [
      withGpus('4', { pool: 'tenants' }, [taint]),
      withGpus('1', { pool: 'tenants' }),
      withGpus('8', { pool: 'system' }),
      node({ pool: 'tenants' }),
    ]
    expect(gpusOf(nodes, pool)).toEqual({ all: 5, most: 4 })
    expect(gpusOf([node({ pool: 'tenants' })], pool)).toEqual({ all: 0, most: 0 })
  })
})

describe('a workspace on Kubernetes', () => {
  it('cannot reach private networks or the metadata service of clouds', () => {
    const out = networkPolicy('')
      .spec?.egress?.flatMap(({ to }) => to ?? [])
      .flatMap(({ ipBlock }) => ipBlock?.except ?? [])
    expect(out).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']))
    expect(networkPolicy('').spec?.ingress).toEqual([{ _from: [{ podSelector: {} }] }])
  })

  it('neither reaches nor is reached from outside, not even by DNS, if it is that of a guest', () =>
    expect(networkPolicy('ingress', { offline: true }).spec).toMatchObject({
      ingress: [{ _from: [{ podSelector: {} }] }],
      egress: [{ to: [{ podSelector: {} }] }],
    }))

  it('has no node ports, no load balancers, and a quota of its size', () =>
    expect(quota({ id: 'ws', owner: 'u', size }).spec?.hard).toMatchObject({
      'limits.cpu': '500m',
      'services.nodeports': '0',
      'services.loadbalancers': '0',
    }))

  it('lets only the ingress in from outside, and closes ports that are used for abuse', () => {
    const { ingress, egress } = networkPolicy('ingress').spec ?? {}
    expect(ingress?.flatMap(({ _from }) => _from ?? [])).toContainEqual({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } },
    })
    const world = egress?.find(({ to }) => to?.some(({ ipBlock }) => ipBlock))
    const open = (port: number) =>
      world?.ports?.some(({ port: from, endPort }) => Number(from) <= port && port <= Number(endPort))
    for (const port of CLOSED_PORTS) expect([port, open(port)]).toEqual([port, false])
    for (const port of [1, 22, 443, 465, 587, 65_535]) expect([port, open(port)]).toEqual([port, true])
    expect(openPorts([])).toEqual([{ port: 1, endPort: 65_535 }])
    expect(openPorts([1, 65_535])).toEqual([{ port: 2, endPort: 65_534 }])
  })

  it('has quotas of objects and of what is written outside of disks, no GPU, and a pod security standard', () => {
    const space = { id: 'ws', owner: 'u', size }
    expect(quota(space).spec?.hard).toMatchObject({
      'count/deployments.apps': expect.any(String),
      'limits.ephemeral-storage': expect.any(String),
      'requests.nvidia.com/gpu': '0',
    })
    expect(quota({ ...space, gpus: 2 }).spec?.hard).toMatchObject({ 'requests.nvidia.com/gpu': '2' })
    expect(limitRange(space).spec?.limits[0]?.max).toHaveProperty('ephemeral-storage')
    expect(namespace('a', space, 'restricted').metadata?.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    })
  })

  it('snapshots the disk of a program, each time under another name', () => {
    const [first, second] = ['2026-11-27T10:00:00Z', '2026-11-27T10:00:01Z'].map((at) =>
      snapshot('w-1', 'csi', new Date(at)),
    )
    expect(first?.spec.source.persistentVolumeClaimName).toBe('disk-w-1-0')
    expect(first?.metadata.name).not.toBe(second?.metadata.name)
  })

  it('does not allow its tenant to change its rules', () => {
    const resources = role().rules?.flatMap(({ resources: names }) => names ?? [])
    for (const closed of ['networkpolicies', 'secrets', 'serviceaccounts', 'rolebindings'])
      expect(resources).not.toContain(closed)
  })
})
