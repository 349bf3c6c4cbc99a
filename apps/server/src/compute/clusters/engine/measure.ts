import type { Measured, Usage, WorkloadRef, WorkloadState } from '../driver.ts'
import { LABEL, stateAfter } from './container.ts'
import { isMoved, upperOf } from './layers.ts'
import type { Parts } from './parts.ts'
import type { ReadyEngine } from './probe.ts'
import { type Listed, listed, type Stats, statsOf } from './stats.ts'

/** State and usage of many workloads at once: a few requests to the engine, whatever their number. */

/** Folders of writable layers by container. They never change, and each takes a request. */
const uppers = new WeakMap<Parts, Map<string, string | undefined>>()

export async function measure(
  parts: Parts,
  engine: ReadyEngine,
  { workspaces, workload }: { workspaces: readonly string[]; workload?: string },
): Promise<Measured[]> {
  const wanted = new Set(workspaces)
  const labels = [
    `${LABEL.installation}=${parts.installation}`,
    ...(workspaces.length === 1 ? [`${LABEL.workspace}=${workspaces[0]}`] : []),
    ...(workload ? [`${LABEL.workload}=${workload}`] : []),
  ]
  const found = (await listed(engine, labels)).filter(({ labels: has }) => wanted.has(has[LABEL.workspace] ?? ''))
  const running = found.filter(({ state }) => state === 'running')
  // Reloading the machine's firewall removes our rules, so they are restored here, at every measurement.
  if (engine.networks && running.length > 0)
    await parts.isolateWorkspaces(engine, [...new Set(running.map(({ labels: has }) => has[LABEL.workspace] ?? ''))])
  const refs = found.map(refOf)
  const [disks, layers, stats] = await Promise.all([
    engine.disks.used(refs),
    layersOf(parts, engine, found, labels),
    statsOf(engine, running),
  ])
  return found.map((one, index): Measured => {
    const used = stats.get(one.id)
    return {
      ...refs[index],
      ...stateOf(one),
      limit: one.labels[LABEL.disk] === 'enforced' ? 'enforced' : 'metered',
      ...(used ?? NOTHING),
      storage: (disks[index] ?? 0) + (layers.get(one.id) ?? 0),
    } as Measured
  })
}

const NOTHING: Stats = { cpuSeconds: 0, memory: 0, received: 0, sent: 0 }

const refOf = ({ labels }: Listed): WorkloadRef => ({
  workspace: labels[LABEL.workspace] ?? '',
  workload: labels[LABEL.workload] ?? '',
})

function stateOf({ state, exitCode }: Listed): { state: WorkloadState['state']; exitCode?: number } {
  switch (state) {
    case 'running':
    case 'stopping':
      return { state }
    case 'restarting':
      return { state: 'starting' }
    default:
      return exitCode === undefined ? { state: 'stopped' } : { state: stateAfter(exitCode), exitCode }
  }
}

/** Bytes of writable layers that are not on the disk of their workload, by container. */
async function layersOf(
  parts: Parts,
  engine: ReadyEngine,
  found: readonly Listed[],
  labels: readonly string[],
): Promise<Map<string, number>> {
  const known = uppers.get(parts) ?? new Map<string, string | undefined>()
  uppers.set(parts, known)
  for (const { id } of found)
    if (!known.has(id)) {
      const info = await engine.docker
        .getContainer(id)
        .inspect()
        .catch(() => undefined)
      if (info) known.set(id, upperOf(info))
    }
  const isOnDisk = (id: string) => {
    const upper = known.get(id)
    return upper !== undefined && isMoved(upper)
  }
  const apart = new Set(found.map(({ id }) => id).filter((id) => !isOnDisk(id)))
  if (apart.size === 0) return new Map()
  const sized = (await engine.docker.listContainers({
    all: true,
    size: true,
    filters: { label: [...labels] },
  })) as unknown as { Id: string; SizeRw?: number }[]
  return new Map(sized.filter(({ Id }) => apart.has(Id)).map(({ Id, SizeRw }) => [Id, SizeRw ?? 0]))
}

/** The usage of one workload; undefined if it has no container. */
export async function measureOne(parts: Parts, engine: ReadyEngine, ref: WorkloadRef): Promise<Usage | undefined> {
  const [found] = await measure(parts, engine, { workspaces: [ref.workspace], workload: ref.workload })
  if (!found) return undefined
  const { cpuSeconds, memory, storage, received, sent } = found
  return { cpuSeconds, memory, storage, received, sent }
}
