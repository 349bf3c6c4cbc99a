import { describe, expect, it } from 'vitest'
import type { Probe } from '../driver.ts'
import { candidateOf, firstWithKernel, gvisorClasses, runtimeOf } from './runtimes.ts'
import { PLAIN, runsOn } from './settings.ts'

const classOf = (name: string, handler: string, nodeSelector?: Record<string, string>) => ({
  metadata: { name },
  handler,
  ...(nodeSelector && { scheduling: { nodeSelector } }),
})
const listed = (...items: ReturnType<typeof classOf>[]) => ({ node: { listRuntimeClass: async () => ({ items }) } })
const ready = (kernel: 'own' | 'shared'): Probe => ({ state: 'ready', reason: '', facts: { kernel }, tried: [] })
const absent: Probe = { state: 'absent', reason: 'no sandbox', facts: {}, tried: [] }

describe('the runtime class of programs', () => {
  const chosen = async (setting: string, results: Record<string, Probe>) => {
    const found = await firstWithKernel(
      ['gvisor', 'gvisor-kvm'].map((runtimeClass) => ({ runtimeClass, nodes: '' })),
      setting,
      async (name) => results[name] ?? absent,
    )
    return runtimeOf(found, setting)
  }

  it('is the first of gVisor that passes the tests with a kernel of its own', async () => {
    const usual = { '': ready('shared') }
    expect(await chosen('', { ...usual, gvisor: ready('own') })).toEqual({ runtimeClass: 'gvisor', kernel: 'own' })
    expect(await chosen('', { ...usual, 'gvisor-kvm': ready('own') })).toMatchObject({ runtimeClass: 'gvisor-kvm' })
  })

  it('is the default of the cluster if none does, also if one runs programs on the shared kernel', async () => {
    const usual = { '': ready('shared') }
    for (const results of [usual, { ...usual, gvisor: ready('shared') }])
      expect(await chosen('', results)).toEqual({ runtimeClass: '', kernel: 'shared' })
  })

  it('is not decided, and nothing starts, while the cluster cannot be tested', async () => {
    await expect(chosen('', {})).rejects.toMatchObject({ failure: 'absent' })
    expect(await chosen('kata', {})).toEqual({ runtimeClass: 'kata', kernel: 'shared' })
  })

  it('is found by its handler, and only nodes that have it count', async () => {
    const found = await gvisorClasses(
      listed(
        classOf('sandbox', 'runsc', { runtime: 'gvisor' }),
        classOf('plain', 'runc'),
        classOf('kata', 'kata'),
      ) as never,
    )
    expect(found.map(({ metadata }) => metadata?.name)).toEqual(['sandbox'])
    const candidates = found.map((one) => candidateOf(one, 'pool=tenants'))
    expect(candidates).toEqual([{ runtimeClass: 'sandbox', nodes: 'pool=tenants,runtime=gvisor' }])
    const node = (labels: Record<string, string>) => ({ metadata: { labels } })
    const runs = (labels: Record<string, string>) => runsOn(node(labels), { ...PLAIN, ...candidates[0] })
    expect([runs({ pool: 'tenants' }), runs({ pool: 'tenants', runtime: 'gvisor' })]).toEqual([false, true])
  })
})
