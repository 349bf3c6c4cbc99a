import type { V1RuntimeClass } from '@kubernetes/client-node'
import { ClusterError, type Probe, type WorkloadState } from '../driver.ts'
import { type Api, asFailure, codeOf } from './api.ts'
import { selectorOf } from './settings.ts'

/** The runtime class of programs: a kernel of their own, where the cluster has gVisor and it passes the tests. */

export interface Runtime {
  /** Empty: the default of the cluster. */
  runtimeClass: string
  kernel: WorkloadState['kernel']
}

/** Where a runtime class is tried: only on these nodes its handler exists. */
export interface Candidate {
  runtimeClass: string
  nodes: string
}

/** The fact of the probe that names the class that passed; absent: the default of the cluster. */
export const RUNTIME = 'runtime'

/** The runtime classes of gVisor, by the name of its program; none if the server has no right to list them. @throws ClusterError */
export async function gvisorClasses({ node }: Pick<Api, 'node'>): Promise<V1RuntimeClass[]> {
  const { items } = await node.listRuntimeClass().catch((error: unknown) => {
    if (codeOf(error) === 403) return { items: [] as V1RuntimeClass[] }
    throw asFailure(error)
  })
  return items.filter(({ handler }) => /^(runsc|gvisor)/.test(handler))
}

/** @param nodes labels of the nodes that run programs */
export const candidateOf = ({ metadata, scheduling }: V1RuntimeClass, nodes: string): Candidate => ({
  runtimeClass: metadata?.name ?? '',
  nodes: Object.entries({ ...selectorOf(nodes), ...scheduling?.nodeSelector })
    .map(([key, value]) => `${key}=${value}`)
    .join(','),
})

/**
 * The first runtime class with which programs have a kernel of their own, otherwise what was found without one.
 * @param usual the class of the setting; empty: the default of the cluster
 * @param tryOne the result of the tests with a class
 */
export async function firstWithKernel<Found extends Pick<Probe, 'state' | 'facts'>>(
  candidates: readonly Candidate[],
  usual: string,
  tryOne: (runtimeClass: string) => Promise<Found>,
): Promise<Found> {
  for (const { runtimeClass } of candidates) {
    const found = await tryOne(runtimeClass)
    if (found.state === 'ready' && found.facts.kernel === 'own')
      return { ...found, facts: { ...found.facts, [RUNTIME]: runtimeClass } }
  }
  return tryOne(usual)
}

/** @throws ClusterError absent if the tests that decide about it did not pass: nothing then starts on a shared kernel */
export function runtimeOf({ state, reason, facts }: Probe, setting: string): Runtime {
  if (state !== 'ready' && setting === '')
    throw new ClusterError('absent', `The cluster cannot be tested: ${reason || state}`)
  return { runtimeClass: facts[RUNTIME] ?? setting, kernel: facts.kernel === 'own' ? 'own' : 'shared' }
}
