import type { V1Container, V1Node, V1Pod } from '@kubernetes/client-node'
import { describe, expect, it } from 'vitest'
import { apartOf, gpuNodesOf } from './gpu-nodes.ts'
import { LABEL } from './manifests.ts'
import { PLAIN } from './settings.ts'

const settings = { ...PLAIN, sellsGpus: true, installation: 'a' }
const TAINT = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }
const MB = 1024 ** 2

const node = (name: string, gpus: string, taints: V1Node['spec'] = {}): V1Node => ({
  metadata: { name },
  spec: taints,
  status: { allocatable: { cpu: '8', memory: '1024Mi', 'nvidia.com/gpu': gpus } },
})
const container = (requests: Record<string, string>, limits = requests): V1Container => ({
  name: 'program',
  resources: { requests, limits },
})
const pod = (nodeName: string | undefined, containers: V1Container[], more: Partial<V1Pod> = {}): V1Pod => ({
  metadata: { labels: { [LABEL.installation]: 'a', [LABEL.workspace]: 'ws' } },
  spec: { containers, ...(nodeName && { nodeName }) },
  ...more,
})
const one = container({ cpu: '500m', memory: '256Mi', 'nvidia.com/gpu': '1' })

describe('a node with GPUs', () => {
  it('has free what its pods leave, those of others included', () => {
    const stranger = pod('n1', [container({ cpu: '1' }, { 'nvidia.com/gpu': '2' })], { metadata: {} })
    expect(
      gpuNodesOf([node('n1', '4'), node('n2', '2')], [pod('n1', [one, container({ cpu: '1' })]), stranger], settings),
    ).toEqual([
      { gpus: 1, cpu: 5.5, memory: 768 * MB, taken: { ws: { gpus: 1, cpu: 1.5, memory: 256 * MB } } },
      { gpus: 2, cpu: 8, memory: 1024 * MB, taken: {} },
    ])
  })

  it('keeps what pods need to start up, and nothing for those that ended or have no node', () => {
    const starting = pod('n1', [one])
    if (starting.spec) starting.spec.initContainers = [container({ cpu: '2' })]
    const ended = pod('n1', [one], { status: { phase: 'Succeeded' } })
    const [found] = gpuNodesOf([node('n1', '4')], [starting, ended, pod(undefined, [one])], settings)
    expect(found).toMatchObject({ gpus: 3, cpu: 6 })
  })

  it('that keeps other programs away adds its cores and memory for workspaces with GPUs only', () => {
    const nodes = [node('shared', '1'), node('apart', '4', { taints: [TAINT] }), node('none', '0', { taints: [TAINT] })]
    expect(apartOf(nodes, settings)).toEqual({ cpu: 8, memory: 1024 * MB })
    expect(gpuNodesOf(nodes, [], settings).map(({ gpus }) => gpus)).toEqual([1, 4])
  })

  it('that programs may not use is none', () => {
    const foreign = { taints: [TAINT, { key: 'team', value: 'b', effect: 'NoExecute' }] }
    const nodes = [node('away', '4', { unschedulable: true }), node('foreign', '4', foreign)]
    expect(gpuNodesOf(nodes, [], settings)).toEqual([])
    expect(apartOf(nodes, settings)).toEqual({ cpu: 0, memory: 0 })
  })
})
