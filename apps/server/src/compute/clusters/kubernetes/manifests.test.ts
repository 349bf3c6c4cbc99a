import { describe, expect, it } from 'vitest'
import type { WorkloadSpec } from '../driver.ts'
import { networkPolicy, quota, role, statefulSet } from './manifests.ts'

const size = { cpu: 0.5, memory: 64 * 1024 ** 2, storage: 1024 ** 3 }
const spec: WorkloadSpec = { id: 'w-1', name: 'web', image: undefined, command: [], env: {}, ports: [], size }
const options = { installation: 'a', image: 'debian', storageClass: '', overcommit: 4 }
const podOf = (more: Partial<WorkloadSpec> = {}) => statefulSet(options, 'ws', { ...spec, ...more }).spec?.template.spec

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
})

describe('a workspace on Kubernetes', () => {
  it('cannot reach private networks or the metadata service of clouds', () => {
    const out = networkPolicy()
      .spec?.egress?.flatMap(({ to }) => to ?? [])
      .flatMap(({ ipBlock }) => ipBlock?.except ?? [])
    expect(out).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']))
    expect(networkPolicy().spec?.ingress).toEqual([{ _from: [{ podSelector: {} }] }])
  })

  it('has no node ports, no load balancers, and a quota of its size', () =>
    expect(quota({ id: 'ws', owner: 'u', size }).spec?.hard).toMatchObject({
      'limits.cpu': '500m',
      'services.nodeports': '0',
      'services.loadbalancers': '0',
    }))

  it('does not allow its tenant to change its rules', () => {
    const resources = role().rules?.flatMap(({ resources: names }) => names ?? [])
    for (const closed of ['networkpolicies', 'secrets', 'serviceaccounts', 'rolebindings'])
      expect(resources).not.toContain(closed)
  })
})
